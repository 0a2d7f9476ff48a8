'use strict';
// fetch and its classes, over http.

const { blobType, bodyBytes, bodyStream } = require('internal/fetch_body');

class Headers {
  #list = new Map();

  constructor(init) {
    if (init instanceof Headers || init instanceof Map || Array.isArray(init)) {
      for (const [name, value] of init) this.append(name, value);
    } else if (init !== undefined && init !== null) {
      for (const name of Object.keys(init)) this.append(name, init[name]);
    }
  }

  append(name, value) {
    const key = `${name}`.toLowerCase();
    if (!/^[!#$%&'*+\-.^_`|~0-9a-z]+$/.test(key))
      throw new TypeError(`Headers.append: ${name} is an invalid header name.`);
    const all = this.#list.get(key) ?? [];
    this.#list.set(key, [...all, `${value}`.trim()]);
  }

  delete(name) { this.#list.delete(`${name}`.toLowerCase()); }

  get(name) { return this.#list.get(`${name}`.toLowerCase())?.join(', ') ?? null; }

  getSetCookie() { return this.#list.get('set-cookie') ?? []; }

  has(name) { return this.#list.has(`${name}`.toLowerCase()); }

  set(name, value) {
    this.delete(name);
    this.append(name, value);
  }

  forEach(work, self) { for (const [name, value] of this) work.call(self, value, name, this); }

  * entries() {
    for (const name of [...this.#list.keys()].sort()) {
      if (name !== 'set-cookie') yield [name, this.get(name)];
      else for (const value of this.#list.get(name)) yield [name, value];
    }
  }

  * keys() { for (const [name] of this) yield name; }

  * values() { for (const [, value] of this) yield value; }

  [Symbol.iterator]() { return this.entries(); }

  [Symbol.for('nodejs.util.inspect.custom')](depth, options, inspect) {
    return `Headers ${inspect(Object.fromEntries(this), options)}`;
  }
}

class Body {
  #body;
  #used = false;

  constructor(body) { this.#body = body ?? null; }

  get body() {
    if (this.#body !== null && !(this.#body instanceof ReadableStream))
      this.#body = bodyStream(this.#body);
    return this.#body;
  }

  get bodyUsed() { return this.#used; }

  async #take() {
    if (this.#used) throw new TypeError('Body is unusable: Body has already been read');
    this.#used = this.#body !== null;
    return bodyBytes(this.#body);
  }

  async arrayBuffer() { return new Uint8Array(await this.#take()).buffer; }

  async blob() {
    const type = this.headers.get('content-type') ?? '';
    return new Blob([await this.#take()], { type });
  }

  async bytes() { return new Uint8Array(await this.#take()); }

  async json() { return JSON.parse(await this.text()); }

  async text() { return new TextDecoder().decode(await this.#take()); }

  _copyBody() {
    if (this.#used) throw new TypeError('Response.clone: Body has already been consumed.');
    if (!(this.#body instanceof ReadableStream)) return this.#body;
    const [mine, other] = this.#body.tee();
    this.#body = mine;
    return other;
  }
}

function withType(headers, body) {
  const type = blobType(body);
  if (type && !headers.has('content-type')) headers.set('content-type', type);
  return headers;
}

class Response extends Body {
  constructor(body, init = {}) {
    super(body);
    const status = init.status ?? 200;
    if (status !== 0 && !(status >= 200 && status <= 599)) {
      throw new RangeError(
        'init["status"] must be in the range of 200 to 599, inclusive.');
    }
    Object.assign(this, { status, statusText: init.statusText ?? '', url: init.url ?? '',
      redirected: init.redirected ?? false, type: 'default',
      headers: withType(new Headers(init.headers), body) });
  }

  static error() { return Object.assign(new Response(null, { status: 0 }), { type: 'error' }); }

  static json(data, init = {}) {
    const headers = new Headers(init.headers);
    if (!headers.has('content-type')) headers.set('content-type', 'application/json');
    return new Response(JSON.stringify(data), { ...init, headers });
  }

  static redirect(url, status = 302) {
    return new Response(null, { status, headers: { location: new URL(url).href } });
  }

  get ok() { return this.status >= 200 && this.status < 300; }

  clone() { return new Response(this._copyBody(), this); }
}

class Request extends Body {
  constructor(input, init = {}) {
    const from = input instanceof Request ? input : undefined;
    const body = init.body ?? from?._copyBody() ?? null;
    super(body);
    const method = `${init.method ?? from?.method ?? 'GET'}`;
    Object.assign(this, {
      url: from ? from.url : new URL(input).href,
      method: /^(get|head|post|put|delete|options)$/i.test(method) ? method.toUpperCase() : method,
      headers: withType(new Headers(init.headers ?? from?.headers), body),
      redirect: init.redirect ?? from?.redirect ?? 'follow',
      signal: init.signal ?? from?.signal ?? new AbortController().signal,
    });
    if (body !== null && (this.method === 'GET' || this.method === 'HEAD'))
      throw new TypeError('Request with GET/HEAD method cannot have body.');
  }

  clone() { return new Request(this); }
}

for (const Class of [Headers, Response, Request])
  Object.defineProperty(Class.prototype, Symbol.toStringTag,
    { value: Class.name, configurable: true });

async function fetch(input, init) {
  return require('internal/fetch_http').send(new Request(input, init));
}

module.exports = { fetch, Headers, Request, Response };
