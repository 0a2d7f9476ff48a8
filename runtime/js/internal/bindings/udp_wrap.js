'use strict';
// Node's binding udp_wrap.

const native = binding('udp');
const { kindOf, nameInto } = require('internal/bindings/handle_classes');

class UDP {
  constructor() { return native.newUdp(); }
}

function send(handle, req, list, port, address) {
  return native.send(handle, list, address, port,
    (status) => req.oncomplete?.(status, req.size ?? 0), false);
}

const methods = {
  open(fd) { return native.open(this, fd); },
  close(callback) { return native.close(this, callback); },
  bind(address, port, flags) { return native.bind(this, address, port, flags); },
  bind6(address, port, flags) { return native.bind(this, address, port, flags); },
  connect(address, port) { return native.connect(this, address, port); },
  connect6(address, port) { return native.connect(this, address, port); },
  disconnect() { return native.disconnect(this); },
  send(req, list, count, port, address) { return send(this, req, list, port, address); },
  send6(req, list, count, port, address) { return send(this, req, list, port, address); },
  recvStart() { return native.start(this); },
  recvStop() { return native.stop(this); },
  getsockname(out) { return nameInto(native.sockname(this), out); },
  getpeername(out) { return nameInto(native.peername(this), out); },
  addMembership(group, place) { return native.join(this, group, place); },
  dropMembership(group, place) { return native.leave(this, group, place); },
  addSourceSpecificMembership(...args) { return native.joinSource(this, ...args); },
  dropSourceSpecificMembership(...args) { return native.leaveSource(this, ...args); },
  getSendQueueSize() { return native.queueSize(this); },
  getSendQueueCount() { return native.queueCount(this); },
  bufferSize(size, isReceiving) {
    return native[isReceiving ? 'recvBufferSize' : 'sendBufferSize'](this, size);
  },
};
for (const name of ['setMulticastInterface', 'setMulticastTTL', 'setMulticastLoopback',
  'setBroadcast', 'setTTL']) {
  methods[name] = { [name](value) { return native[name](this, value); } }[name];
}
kindOf(UDP, native, 'newUdp', methods);

class SendWrap {}

module.exports = { UDP, SendWrap, constants: { UV_UDP_IPV6ONLY: 1, UV_UDP_REUSEADDR: 4 } };
