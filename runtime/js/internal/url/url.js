'use strict';
// URL, after the WHATWG standard.

const { withCode } = require('internal/errors/errors');
const { URLSearchParams, kUpdate, parse: parseQuery } = require('internal/url/search');
const { isSpecial, parse, pathOf, serialize } = require('internal/url/parse');
const setters = require('internal/url/setters');

const PARTS = ['href', 'origin', 'protocol', 'username', 'password', 'host', 'hostname', 'port',
  'pathname', 'search', 'searchParams', 'hash'];

// Unlike other errors with a code, this one does not show it in its name.
function invalid(input, base) {
  const error = new TypeError('Invalid URL');
  Error.captureStackTrace(error, invalid);
  error.code = 'ERR_INVALID_URL';
  error.input = input;
  if (base !== undefined) error.base = base;
  return error;
}

function missing() {
  return withCode(TypeError, 'ERR_MISSING_ARGS', 'The "url" argument must be specified', missing);
}

function parseWith(input, base) {
  const from = base === undefined ? undefined : parse(base, undefined);
  return from === null ? null : parse(input, from);
}

function originOf(record) {
  const { protocol, host, port } = record;
  if (protocol === 'blob:') {
    const inner = parse(pathOf(record), undefined);
    return inner && /^https?:$/.test(inner.protocol) ? originOf(inner) : 'null';
  }
  if (!isSpecial(protocol) || protocol === 'file:') return 'null';
  return `${protocol}//${host}${port === '' ? '' : `:${port}`}`;
}

class URL {
  #context;
  #searchParams;

  constructor(input, base = undefined) {
    if (arguments.length === 0) throw missing();
    input = `${input}`;
    if (base !== undefined) base = `${base}`;
    const record = parseWith(input, base);
    if (record === null) throw invalid(input, base);
    this.#context = record;
  }

  static parse(input, base = undefined) {
    if (arguments.length === 0) throw missing();
    return URL.canParse(input, base) ? new URL(input, base) : null;
  }

  static canParse(input, base = undefined) {
    if (arguments.length === 0) throw missing();
    return parseWith(`${input}`, base === undefined ? undefined : `${base}`) !== null;
  }

  static createObjectURL(blob) { return require('internal/blob/urls').create(blob); }

  static revokeObjectURL(url) {
    if (arguments.length === 0) throw missing();
    require('internal/blob/urls').revoke(`${url}`);
  }

  static #of(url) {
    if (url === null || typeof url !== 'object' || !(#context in url)) {
      throw new TypeError('Receiver must be an instance of class URL');
    }
    return url.#context;
  }

  // The parameters that somebody holds follow the query.
  #sync() {
    if (this.#searchParams) parseQuery(this.#searchParams, this.#context.query ?? '');
  }

  toString() { return serialize(URL.#of(this)); }

  get href() { return serialize(URL.#of(this)); }

  set href(value) {
    this.#context;
    const record = parse(value = `${value}`, undefined);
    if (record === null) throw invalid(value);
    this.#context = record;
    this.#sync();
  }

  get origin() { return originOf(this.#context); }

  get protocol() { return this.#context.protocol; }

  set protocol(value) { setters.setProtocol(this.#context, `${value}`); }

  get username() { return this.#context.username; }

  set username(value) { setters.setUser(this.#context, 'username', `${value}`); }

  get password() { return this.#context.password; }

  set password(value) { setters.setUser(this.#context, 'password', `${value}`); }

  get host() {
    const { host, port } = this.#context;
    return host === null ? '' : host + (port === '' ? '' : `:${port}`);
  }

  set host(value) { setters.setHost(this.#context, `${value}`, true); }

  get hostname() { return this.#context.host ?? ''; }

  set hostname(value) { setters.setHost(this.#context, `${value}`, false); }

  get port() { return this.#context.port; }

  set port(value) { setters.setPort(this.#context, `${value}`); }

  get pathname() { return pathOf(this.#context); }

  set pathname(value) { setters.setPath(this.#context, `${value}`); }

  get search() {
    const { query } = URL.#of(this);
    return query ? `?${query}` : '';
  }

  set search(value) {
    setters.setSearch(this.#context, `${value}`);
    this.#sync();
  }

  get searchParams() {
    if (this.#searchParams === undefined) {
      this.#searchParams = new URLSearchParams();
      parseQuery(this.#searchParams, this.#context.query ?? '');
      this.#searchParams[kUpdate] = (text) => {
        this.#context.query = text === '' ? null : text;
        setters.tidyEnd(this.#context);
      };
    }
    return this.#searchParams;
  }

  get hash() {
    const { fragment } = this.#context;
    return fragment ? `#${fragment}` : '';
  }

  set hash(value) { setters.setHash(this.#context, `${value}`); }

  toJSON() { return serialize(URL.#of(this)); }

  [Symbol.for('nodejs.util.inspect.custom')](depth, options, inspect) {
    if (typeof depth === 'number' && depth < 0) return this;
    const name = Object.getPrototypeOf(this)?.constructor?.name ?? 'URL';
    const shown = {};
    for (const key of PARTS) shown[key] = this[key];
    if (options.showHidden) {
      shown[Symbol('context')] = require('internal/url/context').contextOf(this.#context);
    }
    return `${name} ${inspect(shown, options)}`;
  }
}
for (const name of [...PARTS, 'toString', 'toJSON']) {
  Object.defineProperty(URL.prototype, name, { enumerable: true });
}
for (const name of ['parse', 'canParse', 'createObjectURL', 'revokeObjectURL']) {
  Object.defineProperty(URL, name, { enumerable: true });
}
Object.defineProperty(URL.prototype, Symbol.toStringTag, { value: 'URL', configurable: true });

module.exports = { URL, URLSearchParams };
