'use strict';
// URL, after the WHATWG standard.

const { withCode } = require('internal/errors');
const { URLSearchParams, kUpdate, parse: parseQuery } = require('internal/url_search');

const PORTS = { 'http:': 80, 'https:': 443, 'ws:': 80, 'wss:': 443, 'ftp:': 21, 'file:': null };
const isSpecial = (protocol) => protocol in PORTS;

function percent(text, pattern) {
  return text.toWellFormed().replace(pattern, (c) =>
    [...Buffer.from(c)].map((b) => `%${b.toString(16).toUpperCase().padStart(2, '0')}`).join(''));
}
const C0 = /[\u0000-\u001f\u007f-\u{10ffff}]/gu;
const FRAGMENT = /[\u0000-\u0020"<>`\u007f-\u{10ffff}]/gu;
const QUERY = /[\u0000-\u0020"#<>\u007f-\u{10ffff}]/gu;
const SPECIAL_QUERY = /[\u0000-\u0020"#<>'\u007f-\u{10ffff}]/gu;
const PATH = /[\u0000-\u0020"#<>?`{}^\u007f-\u{10ffff}]/gu;
const USER = /[\u0000-\u0020"#<>?`{}/:;=@[\\\]^|\u007f-\u{10ffff}]/gu;

function invalid(input, base) {
  const error = withCode(TypeError, 'ERR_INVALID_URL', 'Invalid URL', invalid);
  error.input = input;
  if (base !== undefined) error.base = base;
  return error;
}

function ipv4Part(part) {
  if (/^0x[0-9a-f]*$/i.test(part)) return part.length === 2 ? 0 : parseInt(part, 16);
  if (/^0[0-7]*$/.test(part)) return part.length === 1 ? 0 : parseInt(part, 8);
  return /^[0-9]+$/.test(part) ? parseInt(part, 10) : NaN;
}

// The address if the host ends in a number; undefined if it is a name; null if it is wrong.
function ipv4(host) {
  const parts = host.split('.');
  if (parts[parts.length - 1] === '' && parts.length > 1) parts.pop();
  const last = parts[parts.length - 1];
  if (!/^[0-9]+$/.test(last) && Number.isNaN(ipv4Part(last))) return undefined;
  if (parts.length > 4) return null;
  const numbers = parts.map(ipv4Part);
  if (numbers.some(Number.isNaN)) return null;
  const tail = numbers.pop();
  if (numbers.some((n) => n > 255) || tail >= 256 ** (4 - numbers.length)) return null;
  let value = tail;
  numbers.forEach((n, i) => { value += n * 256 ** (3 - i); });
  return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');
}

function ipv6(text) {
  let source = text;
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  if (dotted) {
    const bytes = dotted[2].split('.').map(Number);
    if (bytes.some((b) => b > 255)) return null;
    const hex = (high, low) => (high * 256 + low).toString(16);
    source = `${dotted[1]}${hex(bytes[0], bytes[1])}:${hex(bytes[2], bytes[3])}`;
  }
  const halves = source.split('::');
  if (halves.length > 2) return null;
  const pieces = (half) => (half === '' ? [] : half.split(':'));
  const head = pieces(halves[0]);
  const tail = halves.length === 2 ? pieces(halves[1]) : [];
  const missing = 8 - head.length - tail.length;
  if ((halves.length === 2 && missing < 1) || (halves.length === 1 && missing !== 0)) return null;
  const all = [...head, ...new Array(halves.length === 2 ? missing : 0).fill('0'), ...tail];
  if (!all.every((piece) => /^[0-9a-f]{1,4}$/i.test(piece))) return null;
  const numbers = all.map((piece) => parseInt(piece, 16).toString(16));
  let best = { at: -1, length: 1 };
  for (let i = 0; i < 8; i++) {
    let run = 0;
    while (i + run < 8 && numbers[i + run] === '0') run++;
    if (run > best.length) best = { at: i, length: run };
  }
  if (best.at === -1) return `[${numbers.join(':')}]`;
  const before = numbers.slice(0, best.at).join(':');
  return `[${before}::${numbers.slice(best.at + best.length).join(':')}]`;
}

function parseHost(host, special) {
  if (host.startsWith('[')) {
    if (!host.endsWith(']')) return null;
    return ipv6(host.slice(1, -1));
  }
  if (!special) {
    if (/[\u0000\t\n\r #/:<>?@[\\\]^|]/.test(host)) return null;
    return percent(host, C0);
  }
  let name;
  try {
    name = decodeURIComponent(host);
  } catch {
    return null;
  }
  name = name.normalize('NFKC').toLowerCase().replace(/[\u3002\uff0e\uff61]/g, '.')
    .replace(/\u00ad/g, '');
  if (/[^\x00-\x7f]/.test(name)) name = require('punycode').toASCII(name);
  if (name === '' || /[\u0000-\u0020"#%/:<>?@[\\\]^`{|}\u007f]/.test(name)) return null;
  const address = ipv4(name);
  return address === undefined ? name : address;
}

function parsePath(record, text, special) {
  const parts = (special ? text.replaceAll('\\', '/') : text).split('/');
  const out = record.path.slice();
  parts.forEach((part, i) => {
    const last = i === parts.length - 1;
    const plain = part.replace(/%2e/gi, '.');
    if (plain === '..') {
      if (!(record.protocol === 'file:' && out.length === 1 && /^[a-z]:$/i.test(out[0]))) out.pop();
      if (last) out.push('');
    } else if (plain === '.') {
      if (last) out.push('');
    } else {
      out.push(percent(part, PATH));
    }
  });
  record.path = out;
}

function parseAuthority(record, text, special) {
  const at = text.lastIndexOf('@');
  let host = text;
  if (at !== -1) {
    const credentials = text.slice(0, at);
    host = text.slice(at + 1);
    const colon = credentials.indexOf(':');
    record.username = percent(colon === -1 ? credentials : credentials.slice(0, colon), USER);
    record.password = colon === -1 ? '' : percent(credentials.slice(colon + 1), USER);
    if (host === '') return false;
  }
  const match = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/s.exec(host);
  if (!match) return false;
  if (match[1] === '' && (special || match[2] !== undefined)) return false;
  if (match[2] !== undefined && match[2] !== '') {
    if (!/^[0-9]+$/.test(match[2]) || +match[2] > 65535) return false;
    record.port = +match[2] === PORTS[record.protocol] ? '' : `${+match[2]}`;
  }
  record.host = match[1] === '' ? '' : parseHost(match[1], special);
  return record.host !== null;
}

function newRecord(protocol) {
  return { protocol, username: '', password: '', host: null, port: '', path: [], opaque: null,
    query: null, fragment: null };
}

function parseFile(record, rest) {
  let path = rest;
  record.host = '';
  if (rest.startsWith('//')) {
    const end = rest.indexOf('/', 2);
    const host = end === -1 ? rest.slice(2) : rest.slice(2, end);
    path = end === -1 ? '' : rest.slice(end);
    if (host !== '') {
      record.host = parseHost(host, true);
      if (record.host === null) return null;
      if (record.host === 'localhost') record.host = '';
    }
  }
  parsePath(record, path.replace(/^\//, ''), true);
  return record;
}

function parse(input, base) {
  let text = input.replace(/^[\u0000-\u0020]+|[\u0000-\u0020]+$/g, '').replace(/[\t\n\r]/g, '');
  let fragment = null;
  let query = null;
  const hash = text.indexOf('#');
  if (hash !== -1) {
    fragment = percent(text.slice(hash + 1), FRAGMENT);
    text = text.slice(0, hash);
  }
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text);
  let protocol = scheme ? `${scheme[1].toLowerCase()}:` : null;
  if (protocol === null && base === undefined) return null;
  let rest = scheme ? text.slice(scheme[0].length) : text;
  const special = isSpecial(protocol ?? base.protocol);
  const mark = rest.indexOf('?');
  if (mark !== -1) {
    query = percent(rest.slice(mark + 1), special ? SPECIAL_QUERY : QUERY);
    rest = rest.slice(0, mark);
  }
  if (special) rest = rest.replaceAll('\\', '/');
  // "http:foo" and "http:/foo" against an http base are relative.
  if (protocol !== null && special && base && base.protocol === protocol &&
      !rest.startsWith('//') && protocol !== 'file:') protocol = null;
  if (protocol === null) return relative(rest, query, fragment, base);
  const record = newRecord(protocol);
  record.query = query;
  record.fragment = fragment;
  if (protocol === 'file:') {
    if (base && base.protocol === 'file:' && !rest.startsWith('/')) {
      return relative(rest, query, fragment, base);
    }
    return parseFile(record, rest);
  }
  if (special) {
    rest = rest.replace(/^\/+/, '');
    const end = rest.indexOf('/');
    if (!parseAuthority(record, end === -1 ? rest : rest.slice(0, end), true)) return null;
    parsePath(record, end === -1 ? '' : rest.slice(end + 1), true);
    return record;
  }
  if (rest.startsWith('//')) {
    const end = rest.indexOf('/', 2);
    if (!parseAuthority(record, end === -1 ? rest.slice(2) : rest.slice(2, end), false))
      return null;
    if (end !== -1) parsePath(record, rest.slice(end + 1), false);
    return record;
  }
  if (rest.startsWith('/')) parsePath(record, rest.slice(1), false);
  else record.opaque = percent(rest, C0);
  return record;
}

function relative(rest, query, fragment, base) {
  if (base.opaque !== null) {
    if (rest !== '' || query !== null || fragment === null) return null;
    return { ...base, fragment };
  }
  const special = isSpecial(base.protocol);
  const record = { ...base, path: base.path.slice(), query, fragment };
  if (rest.startsWith('//')) {
    const next = newRecord(base.protocol);
    const end = rest.indexOf('/', 2);
    const authority = end === -1 ? rest.slice(2) : rest.slice(2, end);
    if (base.protocol === 'file:' && authority === '') next.host = '';
    else if (!parseAuthority(next, authority, special)) return null;
    parsePath(next, end === -1 ? '' : rest.slice(end + 1), special);
    return Object.assign(next, { query, fragment });
  }
  if (rest.startsWith('/')) {
    record.path = [];
    parsePath(record, rest.slice(1), special);
  } else if (rest !== '') {
    record.path.pop();
    parsePath(record, rest, special);
  } else if (query === null) {
    record.query = base.query;
  }
  return record;
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

function pathOf(r) {
  if (r.opaque !== null) return r.opaque;
  return r.path.length === 0 ? '' : `/${r.path.join('/')}`;
}

function originOfBlob(inner) {
  return /^https?:/i.test(inner) && URL.canParse(inner) ? new URL(inner).origin : 'null';
}

class URL {
  #record;
  #params;

  constructor(input, base = undefined) {
    if (arguments.length === 0) {
      throw withCode(TypeError, 'ERR_MISSING_ARGS', 'The "url" argument must be specified');
    }
    let from;
    if (base !== undefined) {
      from = parse(`${base}`, undefined);
      if (from === null) throw invalid(`${input}`, `${base}`);
    }
    this.#record = parse(`${input}`, from);
    if (this.#record === null)
      throw invalid(`${input}`, base === undefined ? undefined : `${base}`);
  }

  static canParse(input, base = undefined) {
    if (arguments.length === 0) {
      throw withCode(TypeError, 'ERR_MISSING_ARGS', 'The "url" argument must be specified');
    }
    const from = base === undefined ? undefined : parse(`${base}`, undefined);
    return from !== null && parse(`${input}`, from) !== null;
  }

  static parse(input, base) { return URL.canParse(input, base) ? new URL(input, base) : null; }

  #sync() { if (this.#params) parseQuery(this.#params, this.#record.query ?? ''); }

  get href() { return serialize(this.#record); }

  set href(value) {
    const record = parse(`${value}`, undefined);
    if (record === null) throw invalid(`${value}`);
    this.#record = record;
    this.#sync();
  }

  get origin() {
    const { protocol, host, port } = this.#record;
    if (protocol === 'blob:') return originOfBlob(this.pathname);
    if (!isSpecial(protocol) || protocol === 'file:') return 'null';
    return `${protocol}//${host}${port === '' ? '' : `:${port}`}`;
  }

  get protocol() { return this.#record.protocol; }

  set protocol(value) {
    const match = /^([a-z][a-z0-9+.-]*)(:|$)/i.exec(`${value}`);
    if (!match) return;
    const next = `${match[1].toLowerCase()}:`;
    if (isSpecial(next) !== isSpecial(this.#record.protocol)) return;
    this.#record.protocol = next;
    if (+this.#record.port === PORTS[next]) this.#record.port = '';
  }

  get username() { return this.#record.username; }

  set username(value) { if (this.#record.host) this.#record.username = percent(`${value}`, USER); }

  get password() { return this.#record.password; }

  set password(value) { if (this.#record.host) this.#record.password = percent(`${value}`, USER); }

  get host() {
    const { host, port } = this.#record;
    return host === null ? '' : host + (port === '' ? '' : `:${port}`);
  }

  set host(value) {
    const next = { ...this.#record };
    const user = { username: next.username, password: next.password };
    const text = `${value}`.split(/[/?#]/)[0];
    if (this.#record.opaque === null && !text.includes('@') &&
        parseAuthority(next, text, isSpecial(next.protocol))) {
      this.#record = Object.assign(next, user);
    }
  }

  get hostname() { return this.#record.host ?? ''; }

  set hostname(value) {
    if (this.#record.opaque !== null) return;
    const host = parseHost(`${value}`.split(/[/?#:]/)[0], isSpecial(this.#record.protocol));
    if (host !== null) this.#record.host = host;
  }

  get port() { return this.#record.port; }

  set port(value) {
    if (!this.#record.host || this.#record.protocol === 'file:') return;
    const match = /^[0-9]+/.exec(`${value}`);
    if (`${value}` === '') this.#record.port = '';
    else if (match && +match[0] <= 65535) {
      this.#record.port = +match[0] === PORTS[this.#record.protocol] ? '' : `${+match[0]}`;
    }
  }

  get pathname() { return pathOf(this.#record); }

  set pathname(value) {
    if (this.#record.opaque !== null) return;
    this.#record.path = [];
    parsePath(this.#record, `${value}`.replace(/^[/\\]/, ''), isSpecial(this.#record.protocol));
  }

  get search() { return this.#record.query ? `?${this.#record.query}` : ''; }

  set search(value) {
    const text = `${value}`.replace(/^\?/, '');
    this.#record.query = text === '' ? null
      : percent(text, isSpecial(this.#record.protocol) ? SPECIAL_QUERY : QUERY);
    this.#sync();
  }

  get searchParams() {
    if (!this.#params) {
      this.#params = new URLSearchParams(this.#record.query ?? '');
      this.#params[kUpdate] = (text) => { this.#record.query = text === '' ? null : text; };
    }
    return this.#params;
  }

  get hash() { return this.#record.fragment ? `#${this.#record.fragment}` : ''; }

  set hash(value) {
    const text = `${value}`.replace(/^#/, '');
    this.#record.fragment = text === '' ? null : percent(text, FRAGMENT);
  }

  toString() { return this.href; }

  toJSON() { return this.href; }

  [Symbol.for('nodejs.util.inspect.custom')](depth, options, inspect) {
    if (typeof depth === 'number' && depth < 0) return this;
    const shown = {};
    for (const key of ['href', 'origin', 'protocol', 'username', 'password', 'host', 'hostname',
      'port', 'pathname', 'search', 'searchParams', 'hash']) shown[key] = this[key];
    return `URL ${inspect(shown, options)}`;
  }
}
for (const name of ['href', 'origin', 'protocol', 'username', 'password', 'host', 'hostname',
  'port', 'pathname', 'search', 'searchParams', 'hash', 'toString', 'toJSON']) {
  Object.defineProperty(URL.prototype, name, { enumerable: true });
}
Object.defineProperty(URL.prototype, Symbol.toStringTag, { value: 'URL', configurable: true });

module.exports = { URL, URLSearchParams };
