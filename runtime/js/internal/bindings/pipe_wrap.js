'use strict';
// Node's binding pipe_wrap.

const native = binding('stream');
const { connect, kindOf } = require('internal/bindings/handle_classes');

const constants = { SOCKET: 0, SERVER: 1, IPC: 2, UV_READABLE: 1, UV_WRITABLE: 2 };

class Pipe {
  constructor(kind) {
    return native.newPipe(kind === constants.IPC ? 1 : 0, kind === constants.SERVER);
  }
}

kindOf(Pipe, native, 'newPipe', {
  bind(path) { return native.bind(this, path, 0, 0); },
  connect(req, path) { return connect(this, req, path, undefined); },
  fchmod(mode) { return native.chmodPipe(this, mode); },
});

class PipeConnectWrap {}

module.exports = { Pipe, PipeConnectWrap, constants };
