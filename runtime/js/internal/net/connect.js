'use strict';
// How a socket of net finds its way: names, addresses, and what follows when one answers.

const native = binding('stream');
const ids = require('internal/async/ids');
const told = require('internal/diagnostics/told_channels');
const { isOurs } = require('internal/net/handles');
const { systemError, withCode } = require('internal/errors/errors');
const { validateFunction } = require('internal/errors/validators');

const ETIMEDOUT = -110;

// A socket that the program has bound says from where.
function connectError(socket, status, address, port) {
  const { localAddress, localPort } = socket._boundTo ?? {};
  const error = systemError(status, 'connect', address, port,
    localAddress === undefined ? undefined : `${localAddress}:${localPort}`);
  if (localAddress !== undefined) Object.assign(error, { localAddress, localPort });
  return error;
}

function afterConnect(socket, status, address, port) {
  if (socket.destroyed) return;
  socket.connecting = false;
  if (status !== 0) {
    socket.destroy(connectError(socket, status, address, port));
    return;
  }
  told.measures?.end(socket._handle);
  if (socket._noDelay) socket._handle.setNoDelay?.(true);
  if (socket._keepAlive !== undefined) {
    socket._handle.setKeepAlive?.(true, Math.max(0, ~~(socket._keepAlive / 1000)));
  }
  socket._unrefTimer();
  socket.emit('connect');
  socket.emit('ready');
  if (socket.readable && !socket.isPaused()) socket.read(0);
}

// Programs may hand over handles of their own making.
function connectHandle(handle, address, port, done) {
  if (port !== undefined)
    told.measures?.begin(handle, 'net', 'connect', { host: address, port });
  if (isOurs(handle)) return native.connect(handle, address, port, done);
  const req = { address, port, oncomplete: (status) => done(status) };
  return port === undefined ? handle.connect(req, address) : handle.connect(req, address, port);
}

function startConnect(socket, address, port) {
  const status = connectHandle(socket._handle, address, port, (result) =>
    afterConnect(socket, result, address, port));
  if (status) {
    process.nextTick(() => socket.destroy(connectError(socket, status, address, port)));
  }
}

function invalidFamily(family, host, port) {
  return Object.assign(withCode(RangeError, 'ERR_INVALID_ADDRESS_FAMILY',
    `Invalid address family: ${family} ${host}:${port}`), { host, port });
}

function checkAddress({ address, family }, host, port) {
  if (!require('net').isIP(address)) {
    return withCode(TypeError, 'ERR_INVALID_IP_ADDRESS', `Invalid IP address: ${address}`);
  }
  return family !== 4 && family !== 6 && family !== 'IPv4' && family !== 'IPv6'
    ? invalidFamily(family, host, port) : undefined;
}

// Both families in turn, beginning with that of the first address.
function interleave(list) {
  const familyOf = ({ family }) => (family === 6 || family === 'IPv6' ? 6 : 4);
  const first = list.filter((one) => familyOf(one) === familyOf(list[0]));
  const second = list.filter((one) => familyOf(one) !== familyOf(list[0]));
  const out = [];
  for (let i = 0; i < Math.max(first.length, second.length); i++) {
    if (i < first.length) out.push(first[i]);
    if (i < second.length) out.push(second[i]);
  }
  return out;
}

function lookupAndConnect(socket, host, port, options, bind) {
  if (options.lookup !== undefined && options.lookup !== null) {
    validateFunction(options.lookup, 'options.lookup');
  }
  const lookup = options.lookup || require('dns').lookup;
  const isAuto = options.autoSelectFamily && options.family !== 4 && options.family !== 6 &&
    !options.localAddress;
  const how = { family: options.family, hints: options.hints || 0 };
  if (isAuto) how.all = true;
  ids.below(ids.idOf(socket._handle), lookup, host, how, (error, found, family) => {
    const list = Array.isArray(found) ? found : [{ address: found, family }];
    if (!Array.isArray(found)) socket.emit('lookup', error, found, family, host);
    else {
      for (const one of list) {
        if (socket.connecting) socket.emit('lookup', error, one.address, one.family, host);
      }
    }
    if (!socket.connecting) return;
    if (error) {
      process.nextTick(() => socket.destroy(error));
      return;
    }
    let failure;
    const usable = list.filter((one) => {
      const wrong = checkAddress(one, host, port);
      failure ??= wrong;
      return wrong === undefined;
    });
    if (usable.length === 0) {
      process.nextTick(() => socket.destroy(failure ?? invalidFamily(undefined, host, port)));
      return;
    }
    if (!bind()) return;
    const addresses = interleave(usable);
    if (isAuto && addresses.length > 1) socket.autoSelectFamilyAttemptedAddresses = [];
    tryAddresses(socket, addresses, port, [], options.autoSelectFamilyAttemptTimeout);
  });
}

// One address after the other, until one answers.
function tryAddresses(socket, list, port, failures, limit) {
  const [first, ...rest] = list;
  socket.autoSelectFamilyAttemptedAddresses?.push(`${first.address}:${port}`);
  let timer;
  let isOver = false;
  const fail = (status) => {
    if (isOver || socket.destroyed) return;
    isOver = true;
    clearTimeout(timer);
    failures.push(connectError(socket, status, first.address, port));
    if (rest.length > 0) {
      const old = socket._handle;
      native.close(old, undefined);
      socket._handle = native.newTcp();
      socket._attach();
      tryAddresses(socket, rest, port, failures, limit);
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
  const status = connectHandle(socket._handle, first.address, port, (result) => {
    if (socket.destroyed || isOver) return;
    clearTimeout(timer);
    if (result === 0) afterConnect(socket, 0, first.address, port);
    else fail(result);
  });
  if (status) process.nextTick(fail, status);
  else if (rest.length > 0) timer = setTimeout(fail, limit, ETIMEDOUT);
}

module.exports = { startConnect, lookupAndConnect };
