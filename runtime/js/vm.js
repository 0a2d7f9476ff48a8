'use strict';
const native = binding('vm');
const { invalidArgType } = require('internal/errors/errors');
const { ARRAY, validateBoolean, validateInt32, validateInteger, validateObject,
  validateString } = require('internal/errors/validators');
const { checked } = require('internal/errors/syntax');
const { createContext, isContext, DONT_CONTEXTIFY, find } = require('internal/vm/contexts');
const { isCacheOf, fingerprint } = require('internal/vm/cache');
const { named, checkCallback, DEFAULT_LOADER } = require('internal/vm/imports');

function fileOf(options) {
  return (typeof options === 'string' ? options : options?.filename) ?? 'evalmachine.<anonymous>';
}

// What is asked of a run: { timeout, breakOnSigint, displayErrors }
function limitsOf(options = {}) {
  validateObject(options, 'options');
  const { timeout, breakOnSigint = false, displayErrors = true } = options;
  if (timeout !== undefined) validateInteger(timeout, 'options.timeout', 1, 4294967295);
  validateBoolean(breakOnSigint, 'options.breakOnSigint');
  validateBoolean(displayErrors, 'options.displayErrors');
  return { timeout, breakOnSigint, displayErrors };
}

// Errors of scripts say in their stack which line they came from.
function shown(work, isWanted = true) {
  try {
    return checked(work);
  } catch (error) {
    if (isWanted) require('internal/process/fatal_error').decorate(error);
    throw error;
  }
}

// Columns that a text is not to begin at: it begins behind as many spaces.
const MOST_COLUMNS = 10000;
function indented(code, columns) {
  return columns > 0 && columns < MOST_COLUMNS ? ' '.repeat(columns) + code : code;
}

// Who answers an import() does not keep the script that asks.
function weakly(callback, referrer) {
  const reference = new WeakRef(referrer);
  return { callback, get referrer() { return reference.deref(); } };
}

// The name that a script goes by: one that may import bears a number, by which the answer to that
// is found.
function nameOf(file, code, callback, referrer) {
  if (callback === undefined && !code.includes('import')) return file;
  return named(file, weakly(callback, referrer));
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
  #text; // what the engine gets
  #name;
  #line;

  constructor(code, options = {}) {
    this.#code = `${code}`;
    if (typeof options === 'string') options = { filename: options };
    checkScript(options);
    const { cachedData, produceCachedData, importModuleDynamically, lineOffset = 0,
      columnOffset = 0 } = options;
    this.#name = nameOf(fileOf(options), this.#code, importModuleDynamically, this);
    this.#text = indented(this.#code, columnOffset);
    this.#line = lineOffset + 1;
    require('internal/modules/sources').keep(fileOf(options), this.#code, lineOffset,
      this.#text.length - this.#code.length);
    shown(() => this.#run(native, true, {}));
    if (cachedData !== undefined) this.cachedDataRejected = !isCacheOf(cachedData, this.#code);
    if (produceCachedData) {
      this.cachedData = this.createCachedData();
      this.cachedDataProduced = true;
    }
    const map = [...this.#code.matchAll(/\/\/[#@]\s*sourceMappingURL=(\S+)/g)].at(-1);
    this.sourceMapURL = map?.[1];
  }

  #run({ run, runsJobs }, compilesOnly, { timeout, breakOnSigint }) {
    return run(this.#text, this.#name, compilesOnly, timeout, breakOnSigint, false, runsJobs,
      this.#line);
  }

  runInThisContext(options) {
    const limits = limitsOf(options);
    return shown(() => this.#run(native, false, limits), limits.displayErrors);
  }

  runInContext(sandbox, options) {
    const context = contextOf(sandbox);
    const limits = limitsOf(options);
    return shown(() => this.#run(context, false, limits), limits.displayErrors);
  }

  runInNewContext(sandbox, options) {
    return this.runInContext(createContext(sandbox, contextOptions(options)), options);
  }

  createCachedData() { return fingerprint(this.#code); }
}

function contextOf(sandbox) {
  validateObject(sandbox, 'object', ARRAY);
  const context = find(sandbox);
  if (context === undefined) {
    throw invalidArgType('contextifiedObject', 'vm.Context', sandbox);
  }
  return context;
}

// What the options of a run say of the context that is made for it.
function contextOptions(options = {}) {
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

// A body that closes the function around it, and opens another one, is none. It can't close both
// kinds of brackets.
function checkBody(code, params, run) {
  if (!code.includes('}')) return;
  try {
    run(`[function (${params.join(',')}) {\n${code}\n}]`, '', true);
  } catch {
    throw new SyntaxError("Unexpected token '}'");
  }
}

// Names of the extensions are seen by the function as names around it.
function compileFunction(code, params = [], options = {}) {
  validateString(code, 'code');
  checkFunction(params, options);
  const { parsingContext, contextExtensions = [], importModuleDynamically, cachedData,
    produceCachedData } = options;
  const filename = options.filename ?? '';
  let reference;
  const importer = { callback: importModuleDynamically,
    get referrer() { return reference?.deref(); } };
  const name = code.includes('import') ? named(filename, importer) : filename;
  const names = contextExtensions.map((one, i) => `e${i}`);
  const head = names.length === 0 ? '('
    : `(function (${names.join(', ')}) {${names.map((one) => `with (${one}) `).join('')}return (`;
  const { lineOffset = 0, columnOffset = 0 } = options;
  const text = indented(code, columnOffset);
  // The text begins on a line of its own; what stands before has the lines above it, of which none
  // is 0: the engine takes that for 1.
  const above = lineOffset === 1 ? '\n\n' : '\n';
  const source = `${head}${above}function (${params.join(', ')}) {\n${text}\n})` +
    `${names.length === 0 ? '' : ';})'}`;
  require('internal/modules/sources').keep(filename, code, lineOffset, text.length - code.length);
  const run = parsingContext === undefined ? native.run : find(parsingContext).run;
  let made = shown(() => {
    const found = run(source, name, false, undefined, false, false, false,
      lineOffset - above.length);
    checkBody(code, params, run);
    return found;
  });
  if (names.length > 0) made = made(...contextExtensions);
  reference = new WeakRef(made);
  if (cachedData !== undefined) made.cachedDataRejected = !isCacheOf(cachedData, code);
  if (produceCachedData) {
    made.cachedData = fingerprint(code);
    made.cachedDataProduced = true;
  }
  return made;
}

function plain(options = {}) {
  return typeof options === 'string' ? { filename: options } : options;
}

function measureMemory(options = {}) {
  warnOfMeasuring();
  validateObject(options, 'options');
  const { mode = 'summary', execution = 'default' } = options;
  const { validateOneOf } = require('internal/errors/validators');
  validateOneOf(mode, 'options.mode', ['summary', 'detailed']);
  validateOneOf(execution, 'options.execution', ['default', 'eager']);
  const result = require('internal/vm/contexts').measured(mode === 'detailed');
  return new Promise((resolve) => { setImmediate(resolve, result); });
}

let warned = false;
function warnOfMeasuring() {
  if (warned) return;
  warned = true;
  process.emitWarning('vm.measureMemory is an experimental feature and might change at any time',
    'ExperimentalWarning');
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
    return new Script(code, plain(options)).runInContext(sandbox, plain(options));
  },
  runInNewContext(code, sandbox, options) {
    return new Script(code, plain(options)).runInNewContext(sandbox, plain(options));
  },
  runInThisContext(code, options) {
    return new Script(code, plain(options)).runInThisContext(plain(options));
  },
};
if (require('internal/boot/options').isOn('experimental-vm-modules'))
  Object.assign(module.exports, require('internal/vm/modules'));
// For the prompt: a script whose errors are shown as they are; one that awaits at its top level is
// a promise of { value }.
Object.defineProperty(module.exports, Symbol.for('phasor.await'), {
  value: (code, sandbox, name, breaks, awaits) =>
    checked(() => contextOf(sandbox).run(code, name, false, undefined, breaks, awaits)),
});
