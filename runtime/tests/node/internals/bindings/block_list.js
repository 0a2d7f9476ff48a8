'use strict';
// Node's binding block_list.

const FAMILIES = { 2: 'ipv4', 10: 'ipv6' };

// An address that a program's SocketAddress may stand on.
class SocketAddress {
  #detail;

  constructor(address, port, family, flowlabel) {
    this.#detail = { address, port, family: FAMILIES[family], flowlabel };
  }

  detail(into) { return Object.assign(into, this.#detail); }

  flowlabel() { return this.#detail.flowlabel; }
}

module.exports = { SocketAddress, AF_INET: 2, AF_INET6: 10 };
