'use strict';
// Node's name internal/dgram. What a program puts on the handle of a socket in place of its
// methods is called from then on.

const native = binding('udp');
const { kState, createSocketHandle } = require('internal/dgram/handle');

const { bind, send } = native;

native.bind = (handle, ...args) => (
  Object.hasOwn(handle, 'bind') ? handle.bind(...args) : bind(handle, ...args));

native.send = (handle, list, address, port, done, isLater) => {
  if (!Object.hasOwn(handle, 'send')) return send(handle, list, address, port, done, isLater);
  const req = { list, address, port, oncomplete: done };
  return handle.send(req, list, list.length, port, address, true);
};

module.exports = { kStateSymbol: kState, _createSocketHandle: createSocketHandle };
