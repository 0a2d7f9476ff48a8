'use strict';
// fetch and its classes, over http.

const { withCode } = require('internal/errors/errors');
const { asBody, bodyBytes, bodyStream } = require('internal/fetch/body');
const { Headers } = require('internal/fetch/headers');

const inspected = Symbol.for('nodejs.util.inspect.custom');
// What an object of fetch shows; its body is apart.
const shown = new WeakMap();

function partsOf(object) {
  const parts = shown.get(object);
  if (parts === undefined) throw withCode(TypeError, 'ERR_INVALID_THIS', 'Illegal invocation');
  return parts;
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

  async formData() {
    const { parse } = require('internal/fetch/multipart');
    return parse(await this.#take(), this.headers.get('content-type'));
  }

  async json() { return JSON.parse(await this.text()); }

  async text() { return new TextDecoder().decode(await this.#take()); }

  static copy(object) {
    if (object.#used) throw new TypeError('Response.clone: Body has already been consumed.');
    if (!(object.#body instanceof ReadableStream)) return object.#body;
    const [mine, other] = object.#body.tee();
    object.#body = mine;
    return other;
  }
}

function withType(headers, type) {
  if (type && !headers.has('content-type')) headers.set('content-type', type);
  return headers;
}

class Response extends Body {
  constructor(body = null, init = {}) {
    const { content, type } = asBody(body);
    super(content);
    const status = init.status ?? 200;
    if (status !== 0 && !(status >= 200 && status <= 599)) {
      throw new RangeError(
        'init["status"] must be in the range of 200 to 599, inclusive.');
    }
    shown.set(this, { status: Number(status), statusText: `${init.statusText ?? ''}`,
      headers: withType(new Headers(init.headers), type), redirected: false, type: 'default',
      url: '' });
  }

  // What came over the network.
  static received(body, init, parts) {
    const response = new Response(body, init);
    Object.assign(shown.get(response), parts);
    return response;
  }

  static error() { return Response.received(null, { status: 0 }, { type: 'error' }); }

  static json(data, init = {}) {
    const headers = new Headers(init.headers);
    if (!headers.has('content-type')) headers.set('content-type', 'application/json');
    return new Response(JSON.stringify(data), { ...init, headers });
  }

  static redirect(url, status = 302) {
    return new Response(null, { status, headers: { location: new URL(url).href } });
  }

  get ok() {
    const { status } = partsOf(this);
    return status >= 200 && status < 300;
  }

  clone() {
    const { status, statusText, headers, ...others } = partsOf(this);
    return Response.received(Body.copy(this), { status, statusText, headers }, others);
  }

  [inspected](depth, options, inspect) {
    const { status, statusText, headers, redirected, type, url } = partsOf(this);
    const { body, bodyUsed, ok } = this;
    return `Response ${inspect({ status, statusText, headers, body, bodyUsed, ok, redirected, type,
      url }, options)}`;
  }
}

const REQUEST = { destination: '', referrer: 'about:client', referrerPolicy: '', mode: 'cors',
  credentials: 'same-origin', cache: 'default', redirect: 'follow', integrity: '',
  keepalive: false, isReloadNavigation: false, isHistoryNavigation: false };
const CHOSEN = ['referrer', 'referrerPolicy', 'mode', 'credentials', 'cache', 'redirect',
  'integrity', 'keepalive'];

function chosen(init, from) {
  const parts = { ...REQUEST };
  for (const name of CHOSEN) parts[name] = init[name] ?? from?.[name] ?? REQUEST[name];
  return parts;
}

class Request extends Body {
  constructor(input, init = {}) {
    const from = input instanceof Request ? input : undefined;
    const { content, type } = asBody(init.body ?? (from ? Body.copy(from) : null));
    super(content);
    const method = `${init.method ?? from?.method ?? 'GET'}`;
    shown.set(this, {
      method: /^(get|head|post|put|delete|options)$/i.test(method) ? method.toUpperCase() : method,
      url: from ? from.url : new URL(input).href,
      headers: withType(new Headers(init.headers ?? from?.headers), type),
      ...chosen(init, from),
      signal: init.signal ?? from?.signal ?? new AbortController().signal,
    });
    if (content !== null && (this.method === 'GET' || this.method === 'HEAD'))
      throw new TypeError('Request with GET/HEAD method cannot have body.');
  }

  get duplex() { return partsOf(this) && 'half'; }

  clone() { return new Request(this); }

  [inspected](depth, options, inspect) {
    return `Request ${inspect(partsOf(this), options)}`;
  }
}

function showOn(Class, names) {
  for (const name of names) {
    const get = { [name]() { return partsOf(this)[name]; } }[name];
    Object.defineProperty(Class.prototype, name, { get, enumerable: true, configurable: true });
  }
  const inherited = Object.getOwnPropertyDescriptors(Body.prototype);
  delete inherited.constructor;
  Object.defineProperties(Class.prototype, inherited);
  Object.defineProperty(Class.prototype, Symbol.toStringTag,
    { value: Class.name, configurable: true });
}

showOn(Response, ['type', 'url', 'redirected', 'status', 'statusText', 'headers']);
showOn(Request, ['method', 'url', 'headers', ...Object.keys(REQUEST), 'signal']);

async function begin(input, init) {
  return require('internal/fetch/http').send(new Request(input, init));
}

function fetch(input, init = undefined) { return begin(input, init); }

module.exports = { fetch, Headers, Request, Response,
  get FormData() { return require('internal/fetch/form_data').FormData; } };
