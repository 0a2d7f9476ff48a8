'use strict';
const native = binding('dns');
const { validateFunction, validatePort, invalidArgType, invalidArgValue, withCode } =
  require('internal/errors');

const CODES = { '-3008': 'ENOTFOUND', '-3007': 'ENODATA', '-3001': 'EAI_AGAIN' };

function failure(status, syscall, host) {
  const code = CODES[status] || binding('process').errorName(status);
  const error = new Error(`${syscall} ${code}${host ? ` ${host}` : ''}`);
  error.errno = status;
  error.code = code;
  error.syscall = syscall;
  if (host) error.hostname = host;
  return error;
}

let defaultOrder = 'verbatim';

function lookup(host, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = {};
  } else if (typeof options === 'number') {
    options = { family: options };
  }
  validateFunction(callback, 'callback');
  if (host !== undefined && host !== null && host !== false && typeof host !== 'string') {
    throw invalidArgType('hostname', 'string', host);
  }
  options = options || {};
  let { family = 0 } = options;
  if (family === 'IPv4') family = 4;
  if (family === 'IPv6') family = 6;
  if (![0, 4, 6].includes(family)) {
    throw invalidArgValue('options.family', family, 'must be one of: 0, 4, 6');
  }
  const all = Boolean(options.all);
  const order = options.order || (options.verbatim === false ? 'ipv4first' : defaultOrder);
  const give = (list) => {
    if (all) callback(null, list);
    else callback(null, list[0].address, list[0].family);
  };
  if (!host) {
    process.nextTick(all ? () => callback(null, []) : () =>
      callback(null, null, family === 6 ? 6 : 4));
    return {};
  }
  const literal = native.family(host);
  if (literal) {
    process.nextTick(give, [{ address: host, family: literal }]);
    return {};
  }
  const done = (status, found) => {
    if (status) {
      callback(failure(status, 'getaddrinfo', host));
      return;
    }
    let list = found.map(([address, , name]) => ({ address, family: name === 'IPv6' ? 6 : 4 }));
    if (order === 'ipv4first') list = [...list].sort((a, b) => a.family - b.family);
    if (order === 'ipv6first') list = [...list].sort((a, b) => b.family - a.family);
    if (list.length === 0) callback(failure(-3008, 'getaddrinfo', host));
    else give(list);
  };
  const status = native.addressInfo(host, family, options.hints || 0, done);
  if (status) process.nextTick(callback, failure(status, 'getaddrinfo', host));
  return {};
}

function lookupService(address, port, callback) {
  if (!native.family(address)) throw invalidArgValue('address', address);
  validatePort(port);
  validateFunction(callback, 'callback');
  const status = native.nameInfo(address, +port, (result, host, service) => {
    if (result) callback(failure(result, 'getnameinfo', address));
    else callback(null, host, service);
  });
  if (status) process.nextTick(callback, failure(status, 'getnameinfo', address));
}

// Address records come from the system's resolver; other record types need a resolver of our own.
function resolver(family) {
  return function resolve(host, options, callback = options) {
    validateFunction(callback, 'callback');
    lookup(host, { family, all: true }, (error, list) => {
      if (error) {
        error.syscall = family === 6 ? 'queryAaaa' : 'queryA';
        error.message = `${error.syscall} ${error.code} ${host}`;
        callback(error);
      } else {
        callback(null, list.map((one) => one.address));
      }
    });
  };
}

const resolve4 = resolver(4);
const resolve6 = resolver(6);

function resolve(host, type, callback) {
  if (typeof type === 'function') {
    callback = type;
    type = 'A';
  }
  if (type === 'A') resolve4(host, callback);
  else if (type === 'AAAA') resolve6(host, callback);
  else {
    validateFunction(callback, 'callback');
    process.nextTick(callback, withCode(Error, 'ENOTIMP', `query${type} ENOTIMP ${host}`));
  }
}

function reverse(address, callback) {
  lookupService(address, 0, (error, host) => (error ? callback(error) : callback(null, [host])));
}

// The words of c-ares, under the names that programs compare with.
const ERRORS = {};
for (const name of ['NODATA', 'FORMERR', 'SERVFAIL', 'NOTFOUND', 'NOTIMP', 'REFUSED', 'BADQUERY',
  'BADNAME', 'BADFAMILY', 'BADRESP', 'CONNREFUSED', 'TIMEOUT', 'FILE', 'NOMEM', 'DESTRUCTION',
  'BADSTR', 'BADFLAGS', 'NONAME', 'BADHINTS', 'NOTINITIALIZED', 'LOADIPHLPAPI',
  'ADDRGETNETWORKPARAMS', 'CANCELLED']) ERRORS[name] = `E${name}`;
ERRORS.EOF = 'EOF';

module.exports = {
  ...ERRORS,
  lookup, lookupService, resolve, resolve4, resolve6, reverse,
  getDefaultResultOrder: () => defaultOrder,
  setDefaultResultOrder(order) {
    require('internal/validators').validateOneOf(order, 'dnsOrder',
      ['verbatim', 'ipv4first', 'ipv6first']);
    defaultOrder = order;
  },
  getServers: () => [], setServers() {},
  ADDRCONFIG: 32, V4MAPPED: 8, ALL: 16,
};
Object.defineProperty(module.exports, 'promises', {
  enumerable: true, get: () => require('dns/promises'),
});
const { promisify } = require('util');
Object.defineProperty(lookup, promisify.args, { value: ['address', 'family'] });
Object.defineProperty(lookupService, promisify.args, { value: ['hostname', 'service'] });
