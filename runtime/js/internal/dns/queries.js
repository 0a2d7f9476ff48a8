'use strict';
// Questions of all types: done(error, result) for both kinds of resolvers.

const told = require('internal/diagnostics/told_channels');
const { TYPES, readAnswer } = require('internal/dns/records');
const { BADRESP, NODATA, queryError, systemError } = require('internal/dns/errors');
const { ChannelWrap, library } = require('internal/dns/servers');

const EINVAL = -22;

// Method of a resolver: [the name of its query, the type of record]
const QUERIES = {
  resolveAny: ['queryAny', 'ANY'], resolve4: ['queryA', 'A'], resolve6: ['queryAaaa', 'AAAA'],
  resolveCaa: ['queryCaa', 'CAA'], resolveCname: ['queryCname', 'CNAME'],
  resolveMx: ['queryMx', 'MX'], resolveNs: ['queryNs', 'NS'], resolveTxt: ['queryTxt', 'TXT'],
  resolveSrv: ['querySrv', 'SRV'], resolvePtr: ['queryPtr', 'PTR'],
  resolveNaptr: ['queryNaptr', 'NAPTR'], resolveSoa: ['querySoa', 'SOA'],
};
const METHODS = {};
for (const [method, [, type]] of Object.entries(QUERIES)) METHODS[type] = method;

// The order in which an answer to ANY is given.
const ANY_ORDER = ['A', 'CNAME', 'AAAA', 'MX', 'NS', 'TXT', 'SRV', 'PTR', 'NAPTR', 'SOA', 'CAA'];
const ANY_SHAPES = {
  A: ({ value, ttl }) => ({ address: value, ttl, type: 'A' }),
  AAAA: ({ value, ttl }) => ({ address: value, ttl, type: 'AAAA' }),
  TXT: ({ value }) => ({ entries: value, type: 'TXT' }),
};
for (const type of ['CNAME', 'NS', 'PTR']) ANY_SHAPES[type] = ({ value }) => ({ value, type });

function anyResult(records) {
  const list = [];
  for (const type of ANY_ORDER) {
    const shape = ANY_SHAPES[type] ?? (({ value }) => ({ ...value, type }));
    for (const record of records) if (record.type === type) list.push(shape(record));
  }
  return list;
}

// [status, result]
function resultOf(type, ttl, bytes) {
  const records = readAnswer(bytes);
  if (records === undefined) return [BADRESP];
  if (type === 'ANY') {
    const list = anyResult(records);
    return list.length === 0 ? [NODATA] : [0, list];
  }
  const fitting = records.filter((record) => record.type === type);
  if (fitting.length === 0) {
    // A name that is another's, which has no address: no error.
    const isAlias = type.startsWith('A') && records.some((record) => record.type === 'CNAME');
    return isAlias ? [0, []] : [NODATA];
  }
  if (type === 'SOA') return [0, fitting[0].value];
  return [0, fitting.map((record) => (
    ttl ? { address: record.value, ttl: record.ttl } : record.value))];
}

class QueryReqWrap {
  constructor(bindingName, callback, hostname, ttl) {
    this.bindingName = bindingName;
    this.callback = callback;
    this.hostname = hostname;
    this.oncomplete = onresolve;
    this.ttl = ttl;
  }
}

// What a channel does with a request; a status says that it could not be asked.
function query(channel, type, req, name) {
  library().query(channel, TYPES[type], name, (status, bytes) => {
    let result;
    if (status === 0) [status, result] = resultOf(type, req.ttl, bytes);
    req.oncomplete(status, result);
  });
  return 0;
}

for (const [syscall, type] of Object.values(QUERIES)) {
  ChannelWrap.prototype[syscall] = function(req, name) {
    return query(this.channel, type, req, name);
  };
}

function onresolve(status, result) {
  if (status !== 0) {
    this.callback(queryError(status, this.bindingName, this.hostname));
    return;
  }
  this.callback(null, result);
  told.measures?.end(this, { result });
}

function ask(resolver, method, name, options, done) {
  const [syscall, type] = QUERIES[method];
  const ttl = Boolean((type === 'A' || type === 'AAAA') && options?.ttl);
  const req = new QueryReqWrap(syscall, done, name, ttl);
  told.measures?.begin(req, 'dns', syscall, { host: name, ttl });
  const status = resolver._handle[syscall](req, require('url').domainToASCII(name) || name);
  if (status) throw systemError(status, syscall, name);
  return req;
}

function askReverse(resolver, address, done) {
  const known = library().reverse(resolver._handle.channel, address, (status, bytes) => {
    if (status !== 0) done(queryError(status, 'getHostByAddr', address));
    else done(null, bytes.toString('latin1').split('\0').slice(0, -1));
  });
  if (!known) throw systemError(EINVAL, 'getHostByAddr', address);
  return new QueryReqWrap('getHostByAddr', done, address, false);
}

module.exports = { QUERIES, METHODS, QueryReqWrap, ask, askReverse };
