'use strict';
// Where the parts of a URL are in its text, which util.inspect shows with what is hidden.

const { serialize } = require('internal/url/parse');

const NONE = 0xFFFFFFFF;
const SCHEMES = ['http:', ' ', 'https:', 'ws:', 'ftp:', 'wss:', 'file:'];

class URLContext {
  constructor(record) {
    this.href = serialize(record);
    this.protocol_end = record.protocol.length;
    const begin = this.protocol_end + (record.host === null ? 0 : 2);
    this.username_end = begin + record.username.length;
    this.host_start = this.username_end +
      (record.password === '' ? 0 : record.password.length + 1);
    const hasUser = this.host_start > begin;
    this.host_end = this.host_start + (hasUser ? 1 : 0) + (record.host ?? '').length;
    this.pathname_start = this.host_end + (record.port === '' ? 0 : record.port.length + 1);
    if (record.host === null && this.href.startsWith('/.//', this.pathname_start)) {
      this.pathname_start += 2;
    }
    const hash = this.href.length - (record.fragment === null ? 0 : record.fragment.length + 1);
    this.search_start = record.query === null ? NONE : hash - record.query.length - 1;
    this.hash_start = record.fragment === null ? NONE : hash;
    this.port = record.port === '' ? NONE : +record.port;
    const scheme = SCHEMES.indexOf(record.protocol);
    this.scheme_type = scheme === -1 ? 1 : scheme;
  }
}

function contextOf(record) {
  const context = new URLContext(record);
  const getter = (key) => ({ configurable: true, get() { return this[key] !== NONE; } });
  return Object.defineProperties(context, {
    hasPort: getter('port'), hasSearch: getter('search_start'), hasHash: getter('hash_start'),
  });
}

module.exports = { contextOf };
