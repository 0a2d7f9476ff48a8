'use strict';
// Node's binding tcp_wrap.

const native = binding('stream');
const { connect, kindOf } = require('internal/bindings/handle_classes');

const constants = { SOCKET: 0, SERVER: 1, UV_TCP_IPV6ONLY: 1 };

class TCP {
  constructor(kind) { return native.newTcp(0, kind === constants.SERVER); }
}

kindOf(TCP, native, 'newTcp', {
  bind(address, port, flags = 0) { return native.bind(this, address, port, flags); },
  bind6(address, port, flags = 0) { return native.bind(this, address, port, flags); },
  open(fd) { return native.open(this, fd); },
  connect(req, address, port) { return connect(this, req, address, port); },
  connect6(req, address, port) { return connect(this, req, address, port); },
});

class TCPConnectWrap {}

module.exports = { TCP, TCPConnectWrap, constants };
