'use strict';
// From text to the record of a URL and back, after the WHATWG standard. A fragment begins at the
// first "#", a query at the first "?" before that, whatever the scheme: so the text is cut there,
// and only what is left depends on the scheme and the base.

const { parseHost } = require('internal/url/host');
const { percent, C0, FRAGMENT, QUERY, SPECIAL_QUERY, PATH, USER } = require('internal/url/percent');

const PORTS = { __proto__: null, 'http:': 80, 'https:': 443, 'ws:': 80, 'wss:': 443, 'ftp:': 21,
  'file:': null };
const isSpecial = (protocol) => protocol in PORTS;
const isDrive = (text) => /^[a-z][:|]$/i.test(text);
const startsWithDrive = (text) => /^[a-z][:|](?:[/\\]|$)/i.test(text);

function newRecord(protocol) {
  return { protocol, username: '', password: '', host: null, port: '', path: [], opaque: null,
    query: null, fragment: null };
}

function shorten(record, path) {
  if (record.protocol === 'file:' && path.length === 1 && /^[a-z]:$/i.test(path[0])) return;
  path.pop();
}

// Appends the segments of the text, which begins after a slash.
function parsePath(record, text) {
  const special = isSpecial(record.protocol);
  const parts = (special ? text.replaceAll('\\', '/') : text).split('/');
  const out = record.path;
  const end = parts.length - 1;
  for (let i = 0; i <= end; i++) {
    const part = parts[i];
    const dots = part.length > 6 ? part : part.replace(/%2e/gi, '.');
    if (dots === '..') {
      shorten(record, out);
      if (i === end) out.push('');
    } else if (dots === '.') {
      if (i === end) out.push('');
    } else if (record.protocol === 'file:' && out.length === 0 && isDrive(part)) {
      out.push(`${part[0]}:`);
    } else {
      out.push(percent(part, PATH));
    }
  }
}

function parseCredentials(record, text) {
  const colon = text.indexOf(':');
  record.username = percent(colon === -1 ? text : text.slice(0, colon), USER);
  record.password = colon === -1 ? '' : percent(text.slice(colon + 1), USER);
}

// "host:port"; false if it is wrong.
function parseHostAndPort(record, text) {
  const special = isSpecial(record.protocol);
  const match = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/s.exec(text);
  if (!match) return false;
  const [, host, port] = match;
  if (host === '' && (special || port !== undefined)) return false;
  if (port !== undefined && port !== '') {
    if (!/^[0-9]+$/.test(port) || +port > 65535) return false;
    record.port = +port === PORTS[record.protocol] ? '' : `${+port}`;
  }
  record.host = host === '' ? '' : parseHost(host, special);
  return record.host !== null;
}

// What follows "//", up to the path and with it.
function parseAuthority(record, text) {
  const end = text.indexOf('/');
  let authority = end === -1 ? text : text.slice(0, end);
  const at = authority.lastIndexOf('@');
  if (at !== -1) {
    parseCredentials(record, authority.slice(0, at));
    authority = authority.slice(at + 1);
    if (authority === '') return null;
  }
  if (!parseHostAndPort(record, authority)) return null;
  if (end !== -1) parsePath(record, text.slice(end + 1));
  else if (isSpecial(record.protocol)) record.path.push('');
  return record;
}

function parseFileHost(host) {
  if (host === '') return '';
  const parsed = parseHost(host, true);
  return parsed === 'localhost' ? '' : parsed;
}

// The rest of a file URL; backslashes are slashes already.
function parseFile(record, rest, base) {
  record.host = '';
  const like = base && base.protocol === 'file:' ? base : undefined;
  if (rest.startsWith('//')) {
    const end = rest.indexOf('/', 2);
    const host = end === -1 ? rest.slice(2) : rest.slice(2, end);
    if (isDrive(host)) {
      parsePath(record, rest.slice(2));
      return record;
    }
    record.host = parseFileHost(host);
    if (record.host === null) return null;
    parsePath(record, end === -1 ? '' : rest.slice(end + 1));
    return record;
  }
  if (rest[0] === '/') {
    if (like) {
      record.host = like.host;
      if (!startsWithDrive(rest.slice(1)) && /^[a-z]:$/i.test(like.path[0] ?? '')) {
        record.path.push(like.path[0]);
      }
    }
    parsePath(record, rest.slice(1));
    return record;
  }
  if (!like) {
    parsePath(record, rest);
    return record;
  }
  record.host = like.host;
  return parseBelow(record, rest, like, startsWithDrive(rest));
}

// A path that goes on from the base's, or nothing at all, which is the base's.
function parseBelow(record, rest, base, isWhole = false) {
  record.path = isWhole ? [] : base.path.slice();
  if (rest !== '') {
    if (!isWhole) shorten(record, record.path);
    parsePath(record, rest);
  } else if (record.query === null) {
    record.query = base.query;
  }
  return record;
}

function parseRelative(record, rest, base) {
  if (rest.startsWith('//')) {
    return parseAuthority(record, isSpecial(record.protocol) ? rest.replace(/^\/+/, '')
      : rest.slice(2));
  }
  record.username = base.username;
  record.password = base.password;
  record.host = base.host;
  record.port = base.port;
  if (rest[0] !== '/') return parseBelow(record, rest, base);
  parsePath(record, rest.slice(1));
  return record;
}

function parseRest(record, rest, base, isRelative) {
  if (record.protocol === 'file:') return parseFile(record, rest, base);
  if (isRelative) return parseRelative(record, rest, base);
  if (isSpecial(record.protocol)) return parseAuthority(record, rest.replace(/^\/+/, ''));
  if (rest.startsWith('//')) return parseAuthority(record, rest.slice(2));
  if (rest[0] === '/') parsePath(record, rest.slice(1));
  else record.opaque = percent(rest, C0);
  return record;
}

const withoutBreaks = (text) => (/[\t\n\r]/.test(text) ? text.replace(/[\t\n\r]/g, '') : text);

// The record, or null if the text is no URL.
function parse(input, base) {
  let text = withoutBreaks(input.replace(/^[\u0000-\u0020]+|[\u0000-\u0020]+$/g, ''));
  let fragment = null;
  const hash = text.indexOf('#');
  if (hash !== -1) {
    fragment = percent(text.slice(hash + 1), FRAGMENT);
    text = text.slice(0, hash);
  }
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(text);
  let rest = scheme ? text.slice(scheme[0].length) : text;
  if (!scheme && base === undefined) return null;
  if (!scheme && base.opaque !== null) {
    return text === '' && fragment !== null ? { ...base, fragment } : null;
  }
  const protocol = scheme ? scheme[0].toLowerCase() : base.protocol;
  const special = isSpecial(protocol);
  const record = newRecord(protocol);
  record.fragment = fragment;
  const mark = rest.indexOf('?');
  if (mark !== -1) {
    record.query = percent(rest.slice(mark + 1), special ? SPECIAL_QUERY : QUERY);
    rest = rest.slice(0, mark);
  }
  if (special) rest = rest.replaceAll('\\', '/');
  // "http:foo" against an http base is relative.
  const isRelative = !scheme ||
    (special && base !== undefined && base.protocol === protocol && !rest.startsWith('//'));
  return parseRest(record, rest, base, isRelative);
}

function pathOf(r) {
  if (r.opaque !== null) return r.opaque;
  return r.path.length === 0 ? '' : `/${r.path.join('/')}`;
}

function serialize(r, withFragment = true) {
  let out = r.protocol;
  if (r.host !== null) {
    out += '//';
    if (r.username !== '' || r.password !== '') {
      out += `${r.username}${r.password === '' ? '' : `:${r.password}`}@`;
    }
    out += r.host + (r.port === '' ? '' : `:${r.port}`);
  } else if (r.opaque === null && r.path.length > 1 && r.path[0] === '') {
    out += '/.';
  }
  out += pathOf(r);
  if (r.query !== null) out += `?${r.query}`;
  if (withFragment && r.fragment !== null) out += `#${r.fragment}`;
  return out;
}

module.exports = { PORTS, isSpecial, parse, parseFileHost, parsePath, pathOf, serialize,
  withoutBreaks };
