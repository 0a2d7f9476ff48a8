'use strict';
// Names and addresses through the system's resolver, on the pool.

const native = binding('dns');
const { invalidArgType, invalidArgValue, validateFunction, validatePort, validateBoolean,
  validateNumber, validateString, withCode } = require('internal/errors');
const { validateOneOf } = require('internal/validators');
const { systemError } = require('internal/dns/errors');

const ORDERS = ['verbatim', 'ipv4first', 'ipv6first'];
const HINTS = { ADDRCONFIG: 32, ALL: 16, V4MAPPED: 8 };
const ALL_HINTS = 56;
const NOTFOUND = -3008;
const order = { byDefault: undefined };

function getDefaultResultOrder() {
  order.byDefault ??= require('internal/options').last('dns-result-order') ?? 'verbatim';
  return order.byDefault;
}

function setDefaultResultOrder(value) {
  validateOneOf(value, 'dnsOrder', ORDERS);
  order.byDefault = value;
}

let hasWarned = false;
function warnOfEmptyName(host) {
  if (hasWarned) return;
  hasWarned = true;
  process.emitWarning(`The provided hostname "${host}" is not a valid ` +
    'hostname, and is supported in the dns module solely for compatibility.',
  'DeprecationWarning', 'DEP0118');
}

function readFamily(family) {
  if (family === 'IPv4') return 4;
  if (family === 'IPv6') return 6;
  validateOneOf(family, 'options.family', [0, 4, 6]);
  return family;
}

function readObject(options) {
  const read = { hints: 0, family: 0, all: false, order: getDefaultResultOrder() };
  if (options?.hints != null) {
    validateNumber(options.hints, 'options.hints');
    read.hints = options.hints >>> 0;
    if ((read.hints & ~ALL_HINTS) !== 0) throw invalidArgValue('hints', read.hints);
  }
  if (options?.family != null) read.family = readFamily(options.family);
  if (options?.all != null) {
    validateBoolean(options.all, 'options.all');
    read.all = options.all;
  }
  if (options?.verbatim != null) {
    validateBoolean(options.verbatim, 'options.verbatim');
    read.order = options.verbatim ? 'verbatim' : 'ipv4first';
  }
  if (options?.order != null) {
    validateOneOf(options.order, 'options.order', ORDERS);
    read.order = options.order;
  }
  return read;
}

function readOptions(host, options) {
  if (host) validateString(host, 'hostname');
  if (typeof options === 'number') {
    validateOneOf(options, 'family', [0, 4, 6]);
    return { ...readObject(undefined), family: options };
  }
  if (options !== undefined && typeof options !== 'object')
    throw invalidArgType('options', ['integer', 'object'], options);
  return readObject(options);
}

function sorted(found, how) {
  const list = found.map(([address, , name]) => ({ address, family: name === 'IPv6' ? 6 : 4 }));
  if (how === 'ipv4first') list.sort((a, b) => a.family - b.family);
  if (how === 'ipv6first') list.sort((a, b) => b.family - a.family);
  return list;
}

class GetAddrInfoReqWrap {}

// give(error, list, isEmpty): soon, or when the pool has found something.
function find(host, read, give) {
  if (!host) {
    warnOfEmptyName(host);
    process.nextTick(give, null, [], true);
    return {};
  }
  const literal = native.family(host);
  if (literal) {
    process.nextTick(give, null, [{ address: host, family: literal }]);
    return {};
  }
  const done = (status, found) => {
    const list = status ? [] : sorted(found, read.order);
    if (list.length === 0) give(systemError(status || NOTFOUND, 'getaddrinfo', host));
    else give(null, list);
  };
  const status = native.addressInfo(require('url').domainToASCII(host) || host, read.family,
    read.hints, done);
  if (status) process.nextTick(give, systemError(status, 'getaddrinfo', host));
  return Object.assign(new GetAddrInfoReqWrap(), { family: read.family, hostname: host });
}

function lookup(host, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  } else {
    if (host) validateString(host, 'hostname');
    if (typeof options !== 'number' && (options === undefined || typeof options === 'object'))
      validateFunction(callback, 'callback');
  }
  const read = readOptions(host, options);
  validateFunction(callback, 'callback');
  return find(host, read, (error, list, isEmpty) => {
    if (error) callback(error);
    else if (read.all) callback(null, list);
    else if (isEmpty) callback(null, null, read.family === 6 ? 6 : 4);
    else callback(null, list[0].address, list[0].family);
  });
}

function lookupPromise(host, options) {
  const read = readOptions(host, options);
  return new Promise((resolve, reject) => {
    find(host, read, (error, list, isEmpty) => {
      if (error) reject(error);
      else if (read.all) resolve(list);
      else resolve(isEmpty ? { address: null, family: read.family === 6 ? 6 : 4 } : list[0]);
    });
  });
}

function checkService(address, port) {
  if (!native.family(address)) throw invalidArgValue('address', address);
  validatePort(port);
}

function findService(address, port, done) {
  const status = native.nameInfo(address, +port, (result, host, service) => {
    if (result) done(systemError(result, 'getnameinfo', address));
    else done(null, host, service);
  });
  if (status) throw systemError(status, 'getnameinfo', address);
}

function missing(...names) {
  const last = names.pop();
  const words = names.length === 1 ? `${names[0]} and ${last}` : `${names.join(', ')}, and ${last}`;
  return withCode(TypeError, 'ERR_MISSING_ARGS', `The ${words} arguments must be specified`);
}

function lookupService(address, port, callback) {
  if (arguments.length !== 3) throw missing('"address"', '"port"', '"callback"');
  checkService(address, port);
  validateFunction(callback, 'callback');
  findService(address, port, callback);
}

function lookupServicePromise(address, port) {
  if (arguments.length !== 2) throw missing('"address"', '"port"');
  checkService(address, port);
  return new Promise((resolve, reject) => {
    findService(address, port, (error, hostname, service) => (
      error ? reject(error) : resolve({ hostname, service })));
  });
}

Object.defineProperty(lookup, require('util').promisify.args, { value: ['address', 'family'] });
Object.defineProperty(lookupService, require('util').promisify.args,
  { value: ['hostname', 'service'] });

module.exports = { HINTS, lookup, lookupPromise, lookupService, lookupServicePromise,
  getDefaultResultOrder, setDefaultResultOrder };
