'use strict';
// Names and addresses through the system's resolver, on the pool.

const native = binding('dns');
const { invalidArgType, invalidArgValue, withCode } = require('internal/errors/errors');
const { validateFunction, validatePort, validateBoolean, validateNumber, validateString,
  validateOneOf } = require('internal/errors/validators');
const { systemError } = require('internal/dns/errors');
const cares = require('internal/dns/cares');
const told = require('internal/diagnostics/told_channels');
const { GetAddrInfoReqWrap, GetNameInfoReqWrap } = cares;

const ORDERS = ['verbatim', 'ipv4first', 'ipv6first'];
const HINTS = { ADDRCONFIG: 32, ALL: 16, V4MAPPED: 8 };
const ALL_HINTS = 56;
const order = { byDefault: undefined };

function getDefaultResultOrder() {
  order.byDefault ??= require('internal/boot/options').last('dns-result-order') ?? 'verbatim';
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

function failure(req, status, syscall) {
  return systemError(status, syscall, req.hostname);
}

// What the first address is, or all: family 0 if it is of none that we know.
function found(req, addresses) {
  return addresses.map((address) => ({ address, family: req.family || native.family(address) }));
}

function onlookup(status, addresses) {
  if (status) {
    this.callback(failure(this, status, 'getaddrinfo'));
    return;
  }
  this.callback(null, addresses[0], found(this, addresses)[0].family);
  told.measures?.end(this, { addresses });
}

function onlookupall(status, addresses) {
  if (status) {
    this.callback(failure(this, status, 'getaddrinfo'));
    return;
  }
  const list = found(this, addresses);
  this.callback(null, list);
  told.measures?.end(this, { addresses: list });
}

function onPromised(status, addresses) {
  if (status) {
    this.reject(failure(this, status, 'getaddrinfo'));
    return;
  }
  this.resolve(found(this, addresses)[0]);
  told.measures?.end(this, { addresses });
}

function onPromisedAll(status, addresses) {
  if (status) {
    this.reject(failure(this, status, 'getaddrinfo'));
    return;
  }
  const list = found(this, addresses);
  this.resolve(list);
  told.measures?.end(this, { addresses: list });
}

// The status is that of a question that could not be asked.
function find(req, host, { family, hints, order: how }) {
  told.measures?.begin(req, 'dns', 'lookup', { hostname: host, family, hints,
    verbatim: how === 'verbatim', order: how });
  return cares.getaddrinfo(req, require('url').domainToASCII(host) || host, family, hints,
    ORDERS.indexOf(how));
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
  if (!host) {
    warnOfEmptyName(host);
    if (read.all) process.nextTick(callback, null, []);
    else process.nextTick(callback, null, null, read.family === 6 ? 6 : 4);
    return {};
  }
  const family = native.family(host);
  if (family) {
    if (read.all) process.nextTick(callback, null, [{ address: host, family }]);
    else process.nextTick(callback, null, host, family);
    return {};
  }
  const req = Object.assign(new GetAddrInfoReqWrap(), { callback, family: read.family,
    hostname: host, oncomplete: read.all ? onlookupall : onlookup });
  const status = find(req, host, read);
  if (status) process.nextTick(callback, failure(req, status, 'getaddrinfo'));
  return req;
}

function lookupPromise(host, options) {
  const read = readOptions(host, options);
  return new Promise((resolve, reject) => {
    if (!host) {
      warnOfEmptyName(host);
      resolve(read.all ? [] : { address: null, family: read.family === 6 ? 6 : 4 });
      return;
    }
    const family = native.family(host);
    if (family) {
      resolve(read.all ? [{ address: host, family }] : { address: host, family });
      return;
    }
    const req = Object.assign(new GetAddrInfoReqWrap(), { family: read.family, hostname: host,
      oncomplete: read.all ? onPromisedAll : onPromised, resolve, reject });
    const status = find(req, host, read);
    if (status) reject(failure(req, status, 'getaddrinfo'));
  });
}

function checkService(address, port) {
  if (!native.family(address)) throw invalidArgValue('address', address);
  validatePort(port);
}

function findService(address, port, oncomplete) {
  const req = Object.assign(new GetNameInfoReqWrap(), { hostname: address, port, oncomplete });
  told.measures?.begin(req, 'dns', 'lookupService', { host: address, port: +port });
  const status = cares.getnameinfo(req, address, +port);
  if (status) throw failure(req, status, 'getnameinfo');
  return req;
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
  return findService(address, port, function onService(status, host, service) {
    if (status) {
      callback(failure(this, status, 'getnameinfo'));
      return;
    }
    callback(null, host, service);
    told.measures?.end(this, { hostname: host, service });
  });
}

function lookupServicePromise(address, port) {
  if (arguments.length !== 2) throw missing('"address"', '"port"');
  checkService(address, port);
  return new Promise((resolve, reject) => {
    findService(address, port, function onService(status, hostname, service) {
      if (status) {
        reject(failure(this, status, 'getnameinfo'));
        return;
      }
      resolve({ hostname, service });
      told.measures?.end(this, { hostname, service });
    });
  });
}

Object.defineProperty(lookup, require('util').promisify.args, { value: ['address', 'family'] });
Object.defineProperty(lookupService, require('util').promisify.args,
  { value: ['hostname', 'service'] });

module.exports = { HINTS, lookup, lookupPromise, lookupService, lookupServicePromise,
  getDefaultResultOrder, setDefaultResultOrder };
