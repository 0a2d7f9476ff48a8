'use strict';
// Node's name internal/socketaddress.

const { SocketAddress } = require('net');

class InternalSocketAddress {
  constructor(handle) {
    const made = new SocketAddress(handle.detail({}));
    return Object.setPrototypeOf(made, InternalSocketAddress.prototype);
  }
}
Object.setPrototypeOf(InternalSocketAddress.prototype, SocketAddress.prototype);
Object.setPrototypeOf(InternalSocketAddress, SocketAddress);

module.exports = { SocketAddress, InternalSocketAddress };
