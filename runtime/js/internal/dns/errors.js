'use strict';
// c-ares' words for what went wrong, by its numbers, and errors that carry them.

const CODES = [null, 'ENODATA', 'EFORMERR', 'ESERVFAIL', 'ENOTFOUND', 'ENOTIMP', 'EREFUSED',
  'EBADQUERY', 'EBADNAME', 'EBADFAMILY', 'EBADRESP', 'ECONNREFUSED', 'ETIMEOUT', 'EOF', 'EFILE',
  'ENOMEM', 'EDESTRUCTION', 'EBADSTR', 'EBADFLAGS', 'ENONAME', 'EBADHINTS', 'ENOTINITIALIZED',
  'ELOADIPHLPAPI', 'EADDRGETNETWORKPARAMS', 'ECANCELLED', 'ESERVICE', 'ENOSERVER'];

// The names under which programs compare with them: dns.NOTFOUND and so on.
const NAMES = { NODATA: 'ENODATA', FORMERR: 'EFORMERR', SERVFAIL: 'ESERVFAIL',
  NOTFOUND: 'ENOTFOUND', NOTIMP: 'ENOTIMP', REFUSED: 'EREFUSED', BADQUERY: 'EBADQUERY',
  BADNAME: 'EBADNAME', BADFAMILY: 'EBADFAMILY', BADRESP: 'EBADRESP',
  CONNREFUSED: 'ECONNREFUSED', TIMEOUT: 'ETIMEOUT', EOF: 'EOF', FILE: 'EFILE', NOMEM: 'ENOMEM',
  DESTRUCTION: 'EDESTRUCTION', BADSTR: 'EBADSTR', BADFLAGS: 'EBADFLAGS', NONAME: 'ENONAME',
  BADHINTS: 'EBADHINTS', NOTINITIALIZED: 'ENOTINITIALIZED', LOADIPHLPAPI: 'ELOADIPHLPAPI',
  ADDRGETNETWORKPARAMS: 'EADDRGETNETWORKPARAMS', CANCELLED: 'ECANCELLED' };

const LOOKUP = { '-3008': 'ENOTFOUND', '-3007': 'ENODATA', '-3001': 'EAI_AGAIN' };

function made(errno, code, syscall, host, above) {
  const error = new Error(`${syscall} ${code}${host ? ` ${host}` : ''}`);
  Error.captureStackTrace(error, above);
  error.errno = errno;
  error.code = code;
  error.syscall = syscall;
  if (host) error.hostname = host;
  return error;
}

// Of the system's resolver, by libuv's numbers.
function systemError(status, syscall, host) {
  const code = LOOKUP[status] || binding('process').errorName(status);
  return made(status, code, syscall, host, systemError);
}

function queryError(status, syscall, host) {
  return made(undefined, CODES[status] ?? 'EBADRESP', syscall, host, queryError);
}

module.exports = { NAMES, BADRESP: 10, NODATA: 1, systemError, queryError };
