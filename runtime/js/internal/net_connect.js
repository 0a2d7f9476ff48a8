'use strict';
// How a socket of net finds its way: names, addresses, and what follows when one answers.

const native = binding('stream');
const { systemError, validateFunction } = require('internal/errors');

function afterConnect(socket, status, address, port) {
  if (socket.destroyed) return;
  socket.connecting = false;
  if (status !== 0) {
    const error = systemError(status, 'connect', address, port);
    socket.destroy(error);
    return;
  }
  if (socket._noDelay) native.setNoDelay(socket._handle, true);
  if (socket._keepAlive !== undefined) {
    native.setKeepAlive(socket._handle, true, Math.max(1, ~~(socket._keepAlive / 1000)));
  }
  socket._unrefTimer();
  socket.emit('connect');
  socket.emit('ready');
  if (socket.readable && !socket.isPaused()) socket.read(0);
}

function startConnect(socket, address, port) {
  const status = native.connect(socket._handle, address, port, (result) =>
    afterConnect(socket, result, address, port));
  if (status) {
    process.nextTick(() => socket.destroy(systemError(status, 'connect', address, port)));
  }
}

function lookupAndConnect(socket, host, port, options) {
  if (options.lookup !== undefined && options.lookup !== null) {
    validateFunction(options.lookup, 'options.lookup');
  }
  const lookup = options.lookup || require('dns').lookup;
  lookup(host, { family: options.family, hints: options.hints || 0, all: true },
    (error, found, family) => {
      if (!socket.connecting) return;
      const list = Array.isArray(found) ? found : [{ address: found, family }];
      socket.emit('lookup', error, list[0]?.address, list[0]?.family, host);
      if (error) {
        process.nextTick(() => socket.destroy(error));
        return;
      }
      tryAddresses(socket, list, port, []);
    });
}

// One address after the other, until one answers.
function tryAddresses(socket, list, port, failures) {
  const [first, ...rest] = list;
  const fail = (status) => {
    failures.push(systemError(status, 'connect', first.address, port));
    if (rest.length > 0) {
      const old = socket._handle;
      native.close(old, undefined);
      socket._handle = native.newTcp();
      socket._attach();
      tryAddresses(socket, rest, port, failures);
      return;
    }
    socket.connecting = false;
    if (failures.length === 1) {
      socket.destroy(failures[0]);
      return;
    }
    const error = new AggregateError(failures);
    error.code = failures[0].code;
    socket.destroy(error);
  };
  const status = native.connect(socket._handle, first.address, port, (result) => {
    if (socket.destroyed) return;
    if (result === 0) afterConnect(socket, 0, first.address, port);
    else fail(result);
  });
  if (status) process.nextTick(fail, status);
}

module.exports = { startConnect, lookupAndConnect };
