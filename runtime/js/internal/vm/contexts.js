'use strict';
// Contexts of vm: a sandbox and a world whose global object shows it. Names are looked for in the
// sandbox first, then among the language's own; what scripts set or declare goes to the sandbox.

const native = binding('vm');
const { ARRAY, validateBoolean, validateObject, validateOneOf, validateString } =
  require('internal/errors/validators');

const contexts = new WeakMap(); // sandbox -> { run, module, limited, global, runsJobs, importer }
const byGlobal = new WeakMap(); // global object of a context -> the same
const alive = new Set(); // a WeakRef of each
const DONT_CONTEXTIFY = Symbol('vm_context_no_contextify');

// A property of the object or of what it inherits from.
function lookUp(object, key) {
  for (let at = object; at !== null; at = Object.getPrototypeOf(at)) {
    const found = Object.getOwnPropertyDescriptor(at, key);
    if (found !== undefined) return found;
  }
  return undefined;
}

// What is asked of the global object, in the order of runtime/bindings/contexts.c.
function answersFor(sandbox, inner, self) {
  const shown = (value) => value === sandbox ? self.global : value;
  const definedHere = new Set(); // names that scripts have defined
  const isFixed = (key) => {
    const own = Object.getOwnPropertyDescriptor(inner, key);
    return own !== undefined && !own.configurable && !(key in sandbox);
  };
  return [
    function getOwn(key) {
      const own = Object.getOwnPropertyDescriptor(sandbox, key);
      if (own === undefined) return Object.getOwnPropertyDescriptor(inner, key);
      if ('value' in own) own.value = shown(own.value);
      return own;
    },
    () => [...new Set([...Reflect.ownKeys(sandbox), ...Reflect.ownKeys(inner)])],
    (key) => Reflect.deleteProperty(sandbox, key) && Reflect.deleteProperty(inner, key),
    function define(key, descriptor) {
      definedHere.add(key);
      return Reflect.defineProperty(isFixed(key) ? inner : sandbox, key, descriptor);
    },
    (key) => key in sandbox || key in inner,
    (key) => key in sandbox ? shown(sandbox[key]) : inner[key],
    function set(key, value, receiver) {
      if (receiver !== self.global) {
        return Reflect.defineProperty(receiver, key,
          { value, writable: true, enumerable: true, configurable: true });
      }
      const isFixed = (found) => found !== undefined && 'value' in found && !found.writable;
      const found = lookUp(sandbox, key);
      if (isFixed(found)) return definedHere.has(key) ? false : null;
      if (found === undefined && isFixed(lookUp(inner, key))) return false;
      return Reflect.set(sandbox, key, value);
    },
  ];
}

function checkOptions(options) {
  validateObject(options, 'options');
  const { name, origin, codeGeneration, microtaskMode, importModuleDynamically } = options;
  require('internal/vm/imports').checkCallback(importModuleDynamically);
  if (name !== undefined) validateString(name, 'options.name');
  if (origin !== undefined) validateString(origin, 'options.origin');
  if (codeGeneration !== undefined) {
    validateObject(codeGeneration, 'options.codeGeneration');
    const { strings, wasm } = codeGeneration;
    if (strings !== undefined) validateBoolean(strings, 'options.codeGeneration.strings');
    if (wasm !== undefined) validateBoolean(wasm, 'options.codeGeneration.wasm');
  }
  if (microtaskMode !== undefined)
    validateOneOf(microtaskMode, 'options.microtaskMode', ['afterEvaluate', undefined]);
}

// No code of a text: neither by eval nor by the constructors of the four kinds of functions, which
// are what they were in all else.
const KINDS = '[function () {}, async () => {}, function *() {}, async function *() {}]';
function forbidStrings(inner, run) {
  const { EvalError } = inner;
  const words = 'Code generation from strings disallowed for this context';
  const define = (object, name, value) => Object.defineProperty(object, name,
    { value, writable: true, configurable: true, enumerable: false });
  define(inner, 'eval', { eval(text) {
    if (typeof text !== 'string') return text;
    throw new EvalError(words);
  } }.eval);
  for (const sample of run(KINDS, '')) {
    const prototype = Object.getPrototypeOf(sample);
    const { name } = prototype.constructor;
    const refuse = function refuse() { throw new EvalError(words); };
    Object.defineProperty(refuse, 'name', { value: name });
    Object.defineProperty(refuse, 'prototype', { value: prototype, writable: false });
    define(prototype, 'constructor', refuse);
    if (name === 'Function') define(inner, 'Function', refuse);
  }
}

// V8's: only an inspector would see what is said.
function silentConsole(inner) {
  const made = new inner.Object();
  for (const name of Object.keys(console)) {
    if (typeof console[name] === 'function') made[name] = () => {};
  }
  return made;
}

// Do contexts that are made from now on have a function gc?
let hasGc;

function hasGcByOption() {
  return process.execArgv.length > 0 && require('internal/boot/options').isOn('expose-gc') === true;
}

// A name whose value is loaded when it is touched.
function defineLater(inner, name, load) {
  const define = (value) => Object.defineProperty(inner, name,
    { value, writable: true, enumerable: false, configurable: true });
  Object.defineProperty(inner, name, {
    get() {
      const value = load();
      define(value);
      return value;
    },
    set: define,
    enumerable: false,
    configurable: true,
  });
}

function webAssembly(mayCompile) {
  const wasm = require('internal/wasm/wasm');
  return mayCompile ? wasm.WebAssembly : wasm.withoutCompiling();
}

function make(sandbox, { microtaskMode, codeGeneration, importModuleDynamically }) {
  const [inner, run, module, limited] = native.newContext();
  inner.Error.prepareStackTrace = binding('util').defaultPrepare();
  require('internal/errors/stacks').setupErrors(inner.Error);
  delete inner.performance; // the engine's, not the language's
  Object.defineProperty(inner, 'console',
    { value: silentConsole(inner), writable: true, configurable: true, enumerable: false });
  if (hasGc ??= hasGcByOption()) {
    Object.defineProperty(inner, 'gc',
      { value: binding('process').gc, writable: true, enumerable: true, configurable: false });
  }
  defineLater(inner, 'WebAssembly', () => webAssembly(codeGeneration?.wasm !== false));
  defineLater(inner, 'Intl', () => globalThis.Intl);
  if (codeGeneration?.strings === false) forbidStrings(inner, run);
  if (process.execArgv.length > 0) {
    require('internal/boot/option_effects').disableProto(inner.Object);
  }
  const self = { run, module, limited, global: inner, runsJobs: microtaskMode === 'afterEvaluate',
    importer: { callback: importModuleDynamically, referrer: sandbox ?? inner } };
  if (sandbox !== undefined) {
    const guard = native.guard(run, answersFor(sandbox, inner, self));
    if (guard !== undefined) {
      self.global = guard;
      Object.defineProperty(inner, 'globalThis', { value: guard });
    }
  }
  byGlobal.set(self.global, self);
  alive.add(new WeakRef(self));
  contexts.set(sandbox ?? inner, self);
  return sandbox ?? inner;
}

function createContext(sandbox = {}, options = {}) {
  if (sandbox === DONT_CONTEXTIFY) {
    checkOptions(options);
    return make(undefined, options);
  }
  validateObject(sandbox, 'object', ARRAY);
  if (contexts.has(sandbox)) return sandbox;
  checkOptions(options);
  return make(sandbox, options);
}

function isContext(object) {
  validateObject(object, 'object', ARRAY);
  return contexts.has(object);
}

// What is known of the memory of contexts: one has at least what an empty one takes, and at most
// all there is.
function measured(isDetailed) {
  const used = () => process.memoryUsage().heapUsed;
  const total = used();
  const whole = { jsMemoryEstimate: total, jsMemoryRange: [total, total] };
  if (!isDetailed) return { total: whole };
  const empty = native.newContext();
  const least = Math.max(used() - total, 0);
  empty.length = 0;
  const other = [];
  for (const one of alive) {
    if (one.deref() === undefined) alive.delete(one);
    else other.push({ jsMemoryEstimate: least, jsMemoryRange: [least, total] });
  }
  const current = Math.max(total - other.length * least, 0);
  return { total: whole, current: { jsMemoryEstimate: current, jsMemoryRange: [current, total] },
    other };
}

module.exports = {
  measured,
  exposeGc(isExposed) { hasGc = isExposed; },
  forbidStrings: () => forbidStrings(globalThis, native.run),
  createContext, isContext, DONT_CONTEXTIFY,
  find: (sandbox) => contexts.get(sandbox),
  ofGlobal: (global) => byGlobal.get(global),
};
