'use strict';
const native = binding('vm');
const { invalidArgType, validateBoolean, validateFunction, validateInteger, validateObject,
  validateString } = require('internal/errors');
const { validateInt32 } = require('internal/validators');
const { checked } = require('internal/syntax');
const { createContext, isContext, DONT_CONTEXTIFY, find } = require('internal/vm_contexts');

const DEFAULT_LOADER = Symbol('vm_dynamic_import_main_context_default');

function fileOf(options) {
  return (typeof options === 'string' ? options : options?.filename) ?? 'evalmachine.<anonymous>';
}

// [timeout, breakOnSigint] of a run
function limitsOf(options) {
  if (options === undefined || options === null || typeof options === 'string') return [];
  validateObject(options, 'options');
  const { timeout, breakOnSigint, displayErrors } = options;
  if (timeout !== undefined) validateInteger(timeout, 'options.timeout', 1, 4294967295);
  if (breakOnSigint !== undefined) validateBoolean(breakOnSigint, 'options.breakOnSigint');
  if (displayErrors !== undefined) validateBoolean(displayErrors, 'options.displayErrors');
  return [timeout, breakOnSigint];
}

// The name that a script goes by: one whose import() has an answer of its own bears a number.
function nameOf(file, callback) {
  if (callback === undefined) return file;
  const { named } = require('internal/vm_imports');
  return named(file, callback === DEFAULT_LOADER ? 'default' : callback);
}

function checkCallback(callback) {
  if (callback !== undefined && callback !== DEFAULT_LOADER)
    validateFunction(callback, 'options.importModuleDynamically');
}

// What is kept of a script: how long it was, which is what V8 accepts it by. Code is compiled again
// whatever the bytes say, so that they can't do harm.
function fingerprint(code) {
  return Buffer.from(`phasor script ${code.length}\n`.padEnd(64));
}

function isCacheOf(data, code) {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  return bytes.equals(fingerprint(code));
}

function checkScript(options) {
  validateObject(options, 'options');
  const { filename = 'evalmachine.<anonymous>', lineOffset = 0, columnOffset = 0, cachedData,
    produceCachedData = false, importModuleDynamically } = options;
  validateString(filename, 'options.filename');
  validateInt32(lineOffset, 'options.lineOffset');
  validateInt32(columnOffset, 'options.columnOffset');
  if (cachedData !== undefined && !ArrayBuffer.isView(cachedData)) {
    throw invalidArgType('options.cachedData', ['Buffer', 'TypedArray', 'DataView'], cachedData);
  }
  validateBoolean(produceCachedData, 'options.produceCachedData');
  checkCallback(importModuleDynamically);
}

class Script {
  #code;
  #name;

  constructor(code, options = {}) {
    this.#code = `${code}`;
    if (typeof options === 'string') options = { filename: options };
    checkScript(options);
    const { cachedData, produceCachedData, importModuleDynamically } = options;
    this.#name = nameOf(fileOf(options), importModuleDynamically);
    require('internal/sources').keep(fileOf(options), this.#code);
    checked(() => native.run(this.#code, this.#name, true));
    if (cachedData !== undefined) this.cachedDataRejected = !isCacheOf(cachedData, this.#code);
    if (produceCachedData) {
      this.cachedData = this.createCachedData();
      this.cachedDataProduced = true;
    }
    const map = [...this.#code.matchAll(/\/\/[#@]\s*sourceMappingURL=(\S+)/g)].at(-1);
    this.sourceMapURL = map?.[1];
  }

  runInThisContext(options) {
    return native.run(this.#code, this.#name, false, ...limitsOf(options));
  }

  runInContext(sandbox, options) {
    const context = contextOf(sandbox);
    const limits = limitsOf(options);
    return context.run(this.#code, this.#name, false, limits[0], limits[1], false,
      context.runsJobs);
  }

  runInNewContext(sandbox, options) {
    return this.runInContext(createContext(sandbox, contextOptions(options)), options);
  }

  createCachedData() { return fingerprint(this.#code); }
}

function contextOf(sandbox) {
  validateObject(sandbox, 'contextifiedObject');
  const context = find(sandbox);
  if (context === undefined) {
    throw invalidArgType('contextifiedObject', 'vm.Context', sandbox);
  }
  return context;
}

// What the options of a run say of the context that is made for it.
function contextOptions(options) {
  if (options === undefined || options === null || typeof options === 'string') return {};
  validateObject(options, 'options');
  const { contextName, contextOrigin, contextCodeGeneration, microtaskMode } = options;
  if (contextName !== undefined) validateString(contextName, 'options.contextName');
  if (contextOrigin !== undefined) validateString(contextOrigin, 'options.contextOrigin');
  if (contextCodeGeneration !== undefined) {
    validateObject(contextCodeGeneration, 'options.contextCodeGeneration');
    const { strings, wasm } = contextCodeGeneration;
    if (strings !== undefined) validateBoolean(strings, 'options.contextCodeGeneration.strings');
    if (wasm !== undefined) validateBoolean(wasm, 'options.contextCodeGeneration.wasm');
  }
  return { name: contextName, origin: contextOrigin, codeGeneration: contextCodeGeneration,
    microtaskMode };
}

function checkFunction(params, options) {
  if (params !== undefined) {
    if (!Array.isArray(params)) throw invalidArgType('params', 'Array', params);
    params.forEach((param, i) => validateString(param, `params[${i}]`));
  }
  checkScript(options);
  const { parsingContext, contextExtensions = [] } = options;
  if (parsingContext !== undefined &&
      (parsingContext === null || typeof parsingContext !== 'object' ||
       !find(parsingContext))) {
    throw invalidArgType('options.parsingContext', 'Context', parsingContext);
  }
  if (!Array.isArray(contextExtensions))
    throw invalidArgType('options.contextExtensions', 'Array', contextExtensions);
  contextExtensions.forEach((one, i) => validateObject(one, `options.contextExtensions[${i}]`));
}

// Names of the extensions are seen by the function as names around it.
function compileFunction(code, params = [], options = {}) {
  validateString(code, 'code');
  checkFunction(params, options);
  const { parsingContext, contextExtensions = [], importModuleDynamically, cachedData,
    produceCachedData } = options;
  const filename = options.filename ?? '';
  const name = nameOf(filename, importModuleDynamically);
  const inner = `(function (${params.join(', ')}) {${code}\n})`;
  const names = contextExtensions.map((one, i) => `e${i}`);
  const source = names.length === 0 ? inner
    : `(function (${names.join(', ')}) {${names.map((one) => `with (${one}) `).join('')}return ` +
      `${inner};})`;
  require('internal/sources').keep(filename, code);
  const run = parsingContext === undefined ? native.run : find(parsingContext).run;
  let made = checked(() => run(source, name));
  if (names.length > 0) made = made(...contextExtensions);
  if (cachedData !== undefined) made.cachedDataRejected = !isCacheOf(cachedData, code);
  if (produceCachedData) {
    made.cachedData = fingerprint(code);
    made.cachedDataProduced = true;
  }
  return made;
}

function plain(options) {
  return typeof options === 'string' ? { filename: options } : options;
}

function measureMemory(options = {}) {
  validateObject(options, 'options');
  const { mode = 'summary', execution = 'default' } = options;
  const { validateOneOf } = require('internal/validators');
  validateOneOf(mode, 'options.mode', ['summary', 'detailed']);
  validateOneOf(execution, 'options.execution', ['default', 'eager']);
  const { heapUsed } = process.memoryUsage();
  const total = { jsMemoryEstimate: heapUsed, jsMemoryRange: [heapUsed, heapUsed] };
  const result = mode === 'summary' ? { total } : { total, current: total, other: [] };
  return new Promise((resolve) => { setImmediate(resolve, result); });
}

module.exports = {
  Script,
  compileFunction,
  constants: Object.freeze({ __proto__: null, USE_MAIN_CONTEXT_DEFAULT_LOADER: DEFAULT_LOADER,
    DONT_CONTEXTIFY }),
  createContext,
  createScript: (code, options) => new Script(code, options),
  isContext,
  measureMemory,
  runInContext(code, sandbox, options) {
    contextOf(sandbox);
    return new Script(code, plain(options)).runInContext(sandbox, options);
  },
  runInNewContext(code, sandbox, options) {
    return new Script(code, plain(options)).runInNewContext(sandbox, options);
  },
  runInThisContext: (code, options) => new Script(code, plain(options)).runInThisContext(options),
};
// For the prompt: a script that may await at its top level, as a promise of { value }.
Object.defineProperty(module.exports, Symbol.for('phasor.await'), {
  value: (code, sandbox, name, breaks) =>
    checked(() => contextOf(sandbox).run(code, name, false, undefined, breaks, true)),
});
