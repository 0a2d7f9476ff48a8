'use strict';
// One side of the border between realms. This module is run once in each realm, so that all it
// makes is of that realm; what the host gives it stays inside of closures and private fields.

const { Promise, SyntaxError, TypeError } = globalThis;
const { defineProperty } = Object;

// What the host answers: {ok, value}, or words for an error of this realm.
function taken(answer) {
  if (answer.ok) return answer.value;
  throw answer.isSyntax ? new SyntaxError(answer.words) : new TypeError(answer.words);
}

// A function of this realm that calls one of another.
function wrap(send, name, length) {
  const made = { wrapped(...args) { return taken(send(this, args)); } }.wrapped;
  defineProperty(made, 'length',
    { value: length, writable: false, enumerable: false, configurable: true });
  defineProperty(made, 'name',
    { value: name, writable: false, enumerable: false, configurable: true });
  return made;
}

async function settle(promise, onValue, onError) {
  let value;
  try {
    value = await promise;
  } catch (error) {
    onError(error);
    return;
  }
  onValue(value);
}

// What a script declares with let, const and class is its own.
const indirect = globalThis.eval;

const side = { wrap, settle, evaluate: (source) => indirect(source) };

function makeClass(host) {
  class ShadowRealm {
    #inner = host.create();

    evaluate(sourceText) {
      if (!(#inner in this)) throw incompatible('evaluate');
      if (typeof sourceText !== 'string')
        throw new TypeError('Invalid value used as source text');
      return taken(host.evaluate(side, this.#inner, sourceText));
    }

    importValue(specifier, exportName) {
      if (!(#inner in this)) throw incompatible('importValue');
      const inner = this.#inner;
      const from = `${specifier}`;
      const name = `${exportName}`;
      return new Promise((resolve, reject) => {
        host.importValue(side, inner, from, name, (value) => resolve(value),
          (words) => reject(new TypeError(words)));
      });
    }
  }
  defineProperty(ShadowRealm.prototype, Symbol.toStringTag,
    { value: 'ShadowRealm', writable: false, enumerable: false, configurable: true });
  return ShadowRealm;
}

function incompatible(name) {
  return new TypeError(`Method ShadowRealm.prototype.${name} called on incompatible receiver`);
}

const define = (name, value) => defineProperty(globalThis, name,
  { value, writable: true, enumerable: false, configurable: true });

// The engine keeps the frames of an error; the line above them is written when they are read.
function setUpStacks() {
  const { Error, Object } = globalThis;
  const { get } = Object.getOwnPropertyDescriptor(Error.prototype, 'stack');
  const { toString } = Error.prototype;
  const own = (error, value) => defineProperty(error, 'stack',
    { value, writable: true, enumerable: false, configurable: true });
  const { apply } = Reflect;
  defineProperty(Error.prototype, 'stack', {
    configurable: true,
    enumerable: false,
    get() {
      const frames = apply(get, this, []);
      if (typeof frames !== 'string' || frames[0] !== '\u0001') return frames;
      let head = 'Error';
      try {
        head = apply(toString, this, []);
      } catch {
        // A message that can't be text is not shown.
      }
      return own(this, head + frames.slice(1)).stack;
    },
    set(value) { own(this, value); },
  });
}

function setUpEncoding(host) {
  const { Uint8Array } = globalThis;
  const { set } = Uint8Array.prototype;
  const { apply } = Reflect;
  define('TextEncoder', class TextEncoder {
    get encoding() { return 'utf-8'; }
    encode(text = '') { return new Uint8Array(host.encode(`${text}`)); }
    encodeInto(text, target) {
      const { read, written, bytes } = host.encodeInto(`${text}`, target.length);
      apply(set, target, [new Uint8Array(bytes)]);
      return { read, written };
    }
  });
  define('TextDecoder', class TextDecoder {
    #decoder;
    constructor(label = 'utf-8', options = {}) {
      const { fatal = false, ignoreBOM = false } = options;
      this.#decoder = taken(host.decoder(`${label}`, Boolean(fatal), Boolean(ignoreBOM)));
    }

    get encoding() { return this.#decoder.encoding; }
    get fatal() { return this.#decoder.fatal; }
    get ignoreBOM() { return this.#decoder.ignoreBOM; }
    decode(input, options = {}) {
      return taken(host.decode(this.#decoder, input, Boolean(options.stream)));
    }
  });
}

// Built-in modules that need nothing but the language.
const MODULES = { DOMException: 'internal/errors/dom_exception', Event: 'internal/events/target',
  EventTarget: 'internal/events/target', AbortController: 'internal/events/abort',
  AbortSignal: 'internal/events/abort' };

function setUpModules(builtin) {
  // Emitters are Node's, not the web's: of them, only the limit of listeners counts here.
  const cache = { __proto__: null, events: { exports: { defaultMaxListeners: 10 } } };
  const silent = { emitWarning() {}, nextTick(call, ...args) { settle(0, () => call(...args)); } };
  const absent = (name) => { throw new TypeError(`${name} is not available in a ShadowRealm`); };
  const load = (id) => {
    if (cache[id] !== undefined) return cache[id].exports;
    const module = cache[id] = { exports: {} };
    builtin(id)(module.exports, load, module, silent, absent);
    return module.exports;
  };
  for (const name of Object.keys(MODULES)) {
    defineProperty(globalThis, name, {
      configurable: true,
      enumerable: false,
      get() {
        define(name, load(MODULES[name])[name]);
        return globalThis[name];
      },
      set(value) { define(name, value); },
    });
  }
}

const ENGINES = ['InternalError', 'performance', 'queueMicrotask', 'btoa', 'atob', 'navigator',
  'console', 'gc', 'DOMException'];

// A realm that was just made: its global names.
function setUp(host, builtin) {
  for (const name of ENGINES) delete globalThis[name];
  delete globalThis[Symbol.toStringTag];
  setUpStacks();
  setUpEncoding(host);
  setUpModules(builtin);
  define('ShadowRealm', makeClass(host));
}

module.exports = { side, makeClass, setUp };
