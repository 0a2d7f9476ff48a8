'use strict';
const native = binding('vm');
const { invalidArgType, validateBoolean, validateInteger, validateObject, validateString } =
  require('internal/errors');
const { checked } = require('internal/syntax');

// Sandbox -> { global, run, ... }. The engine's contexts have global objects of their own: names
// that they do not have are looked up in the sandbox and written to it, names that both have are
// the sandbox's, and what a script declares is copied to the sandbox when it has run.
const contexts = new WeakMap();

function through(sandbox) {
  return new Proxy(Object.create(null), {
    has: (target, key) => key in sandbox,
    get: (target, key) => sandbox[key],
    set: (target, key, value) => Reflect.set(sandbox, key, value),
    deleteProperty: (target, key) => Reflect.deleteProperty(sandbox, key),
    getOwnPropertyDescriptor: () => undefined,
    ownKeys: () => [],
  });
}

// Before a script runs.
function shadow({ global, intrinsics, shadowed }, sandbox) {
  for (const key of Reflect.ownKeys(sandbox)) {
    const own = Object.getOwnPropertyDescriptor(global, key);
    if (own === undefined || shadowed.has(key)) continue;
    if (!intrinsics.has(key) || !own.configurable) {
      if (own.writable) global[key] = sandbox[key];
      continue;
    }
    shadowed.add(key);
    Object.defineProperty(global, key, {
      configurable: true,
      enumerable: own.enumerable,
      get: () => sandbox[key],
      set: (value) => { sandbox[key] = value; },
    });
  }
}

// After it has run.
function publish({ global, intrinsics }, sandbox) {
  for (const key of Reflect.ownKeys(global)) {
    if (intrinsics.has(key)) continue;
    const own = Object.getOwnPropertyDescriptor(global, key);
    if ('value' in own) sandbox[key] = own.value;
    if (own.configurable) delete global[key];
  }
}

function isContext(object) {
  validateObject(object, 'object');
  return contexts.has(object);
}

function createContext(sandbox = {}) {
  if (typeof sandbox === 'symbol') sandbox = {};
  validateObject(sandbox, 'contextObject');
  if (contexts.has(sandbox)) return sandbox;
  const [global, run] = native.newContext();
  global.Error.prepareStackTrace = binding('util').defaultPrepare();
  Object.defineProperty(global.Error.prototype, 'stack',
    Object.getOwnPropertyDescriptor(Error.prototype, 'stack'));
  const intrinsics = new Set(Reflect.ownKeys(global));
  contexts.set(sandbox, { global, run, intrinsics, shadowed: new Set() });
  Object.setPrototypeOf(global, through(sandbox));
  return sandbox;
}

function fileOf(options) {
  return (typeof options === 'string' ? options : options?.filename) ?? 'evalmachine.<anonymous>';
}

// [timeout, breakOnSigint] of a run
function limitsOf(options) {
  if (options === undefined || options === null || typeof options === 'string') return [];
  validateObject(options, 'options');
  const { timeout, breakOnSigint } = options;
  if (timeout !== undefined) validateInteger(timeout, 'options.timeout', 1, 4294967295);
  if (breakOnSigint !== undefined) validateBoolean(breakOnSigint, 'options.breakOnSigint');
  return [timeout, breakOnSigint];
}

function runIn(code, sandbox, options, limits = []) {
  const context = contexts.get(sandbox);
  shadow(context, sandbox);
  try {
    return checked(() => context.run(code, fileOf(options), false, ...limits));
  } finally {
    publish(context, sandbox);
  }
}

class Script {
  #code;
  #options;

  constructor(code, options) {
    this.#code = `${code}`;
    this.#options = options;
    this.cachedDataRejected = options?.cachedData ? true : undefined;
    if (this.cachedDataRejected === undefined) delete this.cachedDataRejected;
    require('internal/sources').keep(fileOf(options), this.#code);
    checked(() => native.run(this.#code, fileOf(options), true));
  }

  runInThisContext(options) {
    return native.run(this.#code, fileOf(this.#options), false, ...limitsOf(options));
  }

  runInContext(sandbox, options) {
    if (!contexts.has(sandbox)) throw invalidArgType('contextifiedObject', 'vm.Context', sandbox);
    return runIn(this.#code, sandbox, this.#options, limitsOf(options));
  }

  runInNewContext(sandbox, options) {
    return this.runInContext(createContext(sandbox), options);
  }

  createCachedData() { return Buffer.alloc(0); }
}

function compileFunction(code, params = [], options = {}) {
  validateString(code, 'code');
  const source = `(function (${params.join(', ')}) {${code}\n})`;
  const { parsingContext } = options;
  return parsingContext === undefined ? checked(() => native.run(source, fileOf(options)))
    : runIn(source, parsingContext, options);
}

module.exports = {
  Script,
  compileFunction,
  constants: { USE_MAIN_CONTEXT_DEFAULT_LOADER: Symbol('vm_dynamic_import_main_context_default') },
  createContext,
  createScript: (code, options) => new Script(code, options),
  isContext,
  runInContext: (code, sandbox, options) =>
    new Script(code, options).runInContext(sandbox, options),
  runInNewContext: (code, sandbox, options) =>
    new Script(code, options).runInNewContext(sandbox, options),
  runInThisContext: (code, options) => new Script(code, options).runInThisContext(options),
};
// For the prompt: a script that may await at its top level, as a promise of { value }.
Object.defineProperty(module.exports, Symbol.for('phasor.await'), {
  value: (code, sandbox, name, breaks) => runIn(code, sandbox, name, [undefined, breaks, true]),
});
