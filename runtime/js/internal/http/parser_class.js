'use strict';
// HTTPParser as programs that reach below http know it: the callbacks are properties whose names
// are numbers. http itself uses the parser directly (internal/http/connection).

const native = binding('http');
const { METHOD_NUMBERS, flags: { KEEP_ALIVE, UPGRADE, NO_BODY, UNTIL_END, VERSION, BODY_AS_SAID,
  BODY_NONE, BODY_UPGRADE } } = require('internal/http/common');

const CALLBACKS = { kOnMessageBegin: 0, kOnHeaders: 1, kOnHeadersComplete: 2, kOnBody: 3,
  kOnMessageComplete: 4, kOnExecute: 5, kOnTimeout: 6 };
const LENIENT = { kLenientNone: 0, kLenientHeaders: 1, kLenientChunkedLength: 2,
  kLenientKeepAlive: 4, kLenientTransferEncoding: 8, kLenientVersion: 16,
  kLenientDataAfterClose: 32, kLenientOptionalLFAfterCR: 64,
  kLenientOptionalCRLFAfterChunk: 128, kLenientOptionalCRBeforeLF: 256,
  kLenientSpacesAfterChunkSize: 512, kLenientAll: 1023 };
const { kOnMessageBegin, kOnHeaders, kOnHeadersComplete, kOnBody, kOnMessageComplete,
  kOnExecute } = CALLBACKS;
const REQUEST = 1;
const RESPONSE = 2;
const MOST_FIELDS = 32; // that are told at once
const DEFAULT_SIZE = 16384;

function parseError([code, reason, bytesParsed]) {
  return Object.assign(new Error('Parse Error'), { bytesParsed, code, reason });
}

// What the parser calls; the programs' callbacks are found when they are needed.
class Calls {
  constructor(parser, isRequest) {
    this.parser = parser;
    this.isRequest = isRequest;
    this.begun = false;
    this.isLast = false; // nothing may come behind the message
    this.hasHead = false;
    this.url = '';
    this.result = undefined; // why the parser stopped
  }

  call(name, ...args) {
    const callback = this.parser[name];
    return typeof callback === 'function' ? callback.apply(this.parser, args) : undefined;
  }

  begin() {
    if (this.begun || this.isLast) return;
    this.begun = true;
    this.hasHead = false;
    this.call(kOnMessageBegin);
  }

  // Fields beyond those that fit are told before; the address goes with the first.
  tell(fields) {
    const { url } = this;
    this.url = '';
    this.call(kOnHeaders, fields, url);
  }

  onHead(what, text, lines, flags) {
    this.begin();
    const { isRequest } = this;
    const version = flags >> VERSION;
    const fields = lines === '' ? [] : lines.split('\n');
    const isWhole = fields.length < MOST_FIELDS * 2;
    this.url = isRequest ? text : '';
    if (!isWhole) {
      let at = 0;
      for (; at + MOST_FIELDS * 2 <= fields.length; at += (MOST_FIELDS - 1) * 2)
        this.tell(fields.slice(at, at + (MOST_FIELDS - 1) * 2));
      if (at < fields.length) this.tell(fields.slice(at));
    }
    this.hasHead = true;
    const keeps = (flags & KEEP_ALIVE) !== 0 && (flags & UNTIL_END) === 0;
    this.isLast = !keeps;
    const answer = this.call(kOnHeadersComplete, Math.floor(version / 10), version % 10,
      isWhole ? fields : undefined, isRequest ? METHOD_NUMBERS.indexOf(what) : undefined,
      isWhole && isRequest ? text : undefined, isRequest ? undefined : what,
      isRequest ? undefined : text, (flags & UPGRADE) !== 0, keeps);
    const changes = (flags & UPGRADE) !== 0 || answer === BODY_UPGRADE;
    const skips = answer === BODY_NONE || answer === true;
    if (changes || skips || (flags & NO_BODY) !== 0) this.onComplete();
    return changes ? BODY_UPGRADE : skips ? BODY_NONE : BODY_AS_SAID;
  }

  onBody(bytes) { this.call(kOnBody, bytes); }

  onComplete(lines) {
    if (lines !== undefined) this.tell(lines.split('\n'));
    this.begun = false;
    this.call(kOnMessageComplete);
  }

  onStop(result) { this.result = typeof result === 'number' ? result : parseError(result); }

  // After a piece that came from a handle.
  onExecuted(length) {
    const { result } = this;
    this.result = undefined;
    this.call(kOnExecute, result ?? length);
  }
}

class HTTPParser {
  #calls;
  #native;
  #handle;
  #list;
  #broken;

  // resource: whom hooks are told of; list: a ConnectionsList
  initialize(type, resource, maxHeaderSize, lenientFlags, list) {
    if (type !== REQUEST && type !== RESPONSE) {
      throw new TypeError('type must be HTTPParser.REQUEST or HTTPParser.RESPONSE');
    }
    if (this.#native !== undefined) native.end(this.#native);
    this.#broken = undefined;
    this.#calls = new Calls(this, type === REQUEST);
    this.#native = native.newParser(this.#calls, type - 1, maxHeaderSize || DEFAULT_SIZE,
      Number(lenientFlags) > 0);
    native.begin(this.#native);
    this.remove();
    if (list instanceof ConnectionsList) (this.#list = list)[kAdd](this);
  }

  #ready() {
    if (this.#native === undefined) throw new TypeError('The parser is not initialized');
    return this.#native;
  }

  // The number of bytes that were read, which is less than all where another protocol begins; or
  // the error of input that is no HTTP.
  execute(bytes) {
    const parser = this.#ready();
    const calls = this.#calls;
    if (this.#broken !== undefined) return parseError(this.#broken);
    if (!ArrayBuffer.isView(bytes)) throw new TypeError('Argument must be a buffer');
    calls.result = undefined;
    try {
      if (bytes.byteLength > 0) calls.begin();
      native.execute(parser, bytes);
    } catch (error) {
      this.#broken = ['HPE_JS_EXCEPTION', 'JS Exception', 0];
      throw error;
    }
    return calls.result ?? bytes.byteLength;
  }

  finish() {
    const result = this.#broken === undefined ? native.finish(this.#ready()) : undefined;
    return result === undefined ? undefined : parseError(result);
  }

  // All that the handle reads comes here, until unconsume.
  consume(handle) {
    native.attach(this.#ready(), handle);
    this.#handle = handle;
  }

  unconsume() {
    if (this.#handle === undefined) return;
    native.attach(undefined, this.#handle);
    this.#handle = undefined;
  }

  getCurrentBuffer() { return Buffer.alloc(0); }

  duration() { return Math.max(0, native.age(this.#ready())); }

  headersCompleted() { return this.#calls?.hasHead ?? false; }

  pause() {}

  resume() {}

  remove() {
    this.#list?.[kRemove](this);
    this.#list = undefined;
  }

  free() { if (this.#native !== undefined) native.end(this.#native); }

  close() {
    this.unconsume();
    this.remove();
    this.free();
  }

  // -1 between two messages.
  static age(parser) { return native.age(parser.#ready()); }
}
const { age } = HTTPParser;
delete HTTPParser.age;
Object.assign(HTTPParser, { REQUEST, RESPONSE }, CALLBACKS, LENIENT);

const kAdd = Symbol('kAdd');
const kRemove = Symbol('kRemove');

// The parsers of a server's connections.
class ConnectionsList {
  #parsers = new Set();

  [kAdd](parser) { this.#parsers.add(parser); }

  [kRemove](parser) { this.#parsers.delete(parser); }

  all() { return [...this.#parsers]; }

  idle() { return this.all().filter((parser) => age(parser) === -1); }

  active() { return this.all().filter((parser) => age(parser) !== -1); }

  // Those whose message takes too long, in milliseconds; 0: no limit.
  expired(headersTimeout, requestTimeout) {
    return this.active().filter((parser) => {
      const spent = age(parser);
      return (headersTimeout > 0 && spent > headersTimeout && !parser.headersCompleted()) ||
        (requestTimeout > 0 && spent > requestTimeout);
    });
  }
}

module.exports = { HTTPParser, ConnectionsList };
