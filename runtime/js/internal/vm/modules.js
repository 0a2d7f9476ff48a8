'use strict';
// Modules that the program links itself: vm.SourceTextModule and vm.SyntheticModule.

const native = binding('vm');
const { invalidArgType, invalidArgValue, withCode } = require('internal/errors/errors');
const { validateBoolean, validateFunction, validateInteger, validateObject, validateString,
  validateInt32 } = require('internal/errors/validators');
const { checked } = require('internal/errors/syntax');
const { named, checkCallback } = require('internal/vm/imports');
const { find, isContext } = require('internal/vm/contexts');
const { isCacheOf, fingerprint } = require('internal/vm/cache');

// What can be asked of the engine's module (runtime/engine/inside/vm_modules.c).
const REQUESTS = 0;
const SET_REQUEST = 1;
const LINK = 2;
const EVALUATE = 3;
const NAMESPACE = 4;
const STATUS = 5;
const ERROR = 6;
const SET_EXPORT = 7;
const WORDS = ['unlinked', 'unlinked', 'linked', 'evaluating', 'evaluated', 'evaluated'];
const LINKED = 2;

const inspectCustom = Symbol.for('nodejs.util.inspect.custom');
const states = new WeakMap(); // module -> what is known of it
const counts = new WeakMap(); // context -> how many modules in it have no name
const MAIN = {}; // stands for the main context

function stateOf(module, kind = 'Module') {
  const state = module === null || typeof module !== 'object' ? undefined : states.get(module);
  if (state === undefined || (kind !== 'Module' && state.kind !== kind))
    throw invalidArgType('this', kind, module);
  return state;
}

function badStatus(words) {
  return withCode(Error, 'ERR_VM_MODULE_STATUS', `Module status ${words}`);
}

let warned = false;
function warn() {
  if (warned) return;
  warned = true;
  process.emitWarning('VM Modules is an experimental feature and might change at any time',
    'ExperimentalWarning');
}

function statusOf(state) {
  if (state.failed) return 'errored';
  const known = state.engine(STATUS);
  if (known === 100) return 'errored';
  return known < LINKED && state.isLinking ? 'linking' : WORDS[known];
}

function nextName(context) {
  const key = context ?? MAIN;
  const count = counts.get(key) ?? 0;
  counts.set(key, count + 1);
  return `vm:module(${count})`;
}

function checkOptions(options) {
  validateObject(options, 'options');
  const { context, identifier } = options;
  if (context !== undefined) {
    validateObject(context, 'context');
    if (!isContext(context)) throw invalidArgType('options.context', 'vm.Context', context);
  }
  if (identifier !== undefined) validateString(identifier, 'options.identifier');
}

// Asks for what a module imports, and for what that imports.
async function linkRequests(state, linker) {
  state.isLinking = true;
  const work = state.requests.map(async ({ specifier, attributes }, i) => {
    const found = states.get(await linker(specifier, state.module,
      { attributes, assert: attributes }) ?? MAIN);
    if (found === undefined) {
      throw withCode(Error, 'ERR_VM_MODULE_NOT_MODULE',
        'Provided module is not an instance of Module');
    }
    if (found.context !== state.context) {
      throw withCode(Error, 'ERR_VM_MODULE_DIFFERENT_CONTEXT',
        'Linked modules must use the same context');
    }
    const status = statusOf(found);
    if (status === 'errored') {
      const error = withCode(Error, 'ERR_VM_MODULE_LINK_FAILURE',
        `request for '${specifier}' resolved to an errored module`);
      error.cause = errorOf(found);
      throw error;
    }
    state.engine(SET_REQUEST, i, found.engine);
    if (status === 'unlinked') await linkRequests(found, linker);
  });
  try {
    await Promise.all(work);
  } catch (error) {
    state.failed = { error };
    throw error;
  }
}

function errorOf(state) {
  return state.failed ? state.failed.error : state.engine(ERROR);
}

async function link(state, linker) {
  validateFunction(linker, 'linker');
  const status = statusOf(state);
  if (status === 'linked') {
    throw withCode(Error, 'ERR_VM_MODULE_ALREADY_LINKED', 'Module has already been linked');
  }
  if (status !== 'unlinked') throw badStatus('must be unlinked');
  await linkRequests(state, linker);
  try {
    checked(() => state.engine(LINK));
  } finally {
    state.isLinking = false;
  }
}

async function evaluate(state, options) {
  validateObject(options, 'options');
  const { timeout, breakOnSigint = false } = options;
  if (timeout !== undefined) validateInteger(timeout, 'options.timeout', 1, 4294967295);
  validateBoolean(breakOnSigint, 'options.breakOnSigint');
  const status = statusOf(state);
  if (status !== 'linked' && status !== 'evaluated' && status !== 'errored')
    throw badStatus('must be one of linked, evaluated, or errored');
  if (state.failed) throw state.failed.error;
  const { limited, runsJobs } = state.home;
  try {
    await limited(state.engine, EVALUATE, timeout, breakOnSigint, runsJobs);
  } catch (error) {
    if (/^ERR_SCRIPT_EXECUTION_/.test(error?.code)) {
      state.failed ??= { error };
      state.engine(EVALUATE).catch(() => {}); // the module's own promise, which nobody sees
    }
    throw error;
  }
}

class Module {
  constructor(options) {
    if (new.target === Module) throw new TypeError('Module is not a constructor');
    warn();
    const { context } = options;
    const home = context === undefined ? { module: native.module, limited: native.limited }
      : find(context);
    states.set(this, { module: this, kind: new.target.name, context, home,
      identifier: options.identifier ?? nextName(context), isLinking: false, failed: undefined,
      engine: undefined, requests: [] });
  }

  get identifier() { return stateOf(this).identifier; }

  get context() { return stateOf(this).context; }

  get namespace() {
    const state = stateOf(this);
    if (state.engine(STATUS) < LINKED)
      throw badStatus('must not be unlinked or linking');
    return state.engine(NAMESPACE);
  }

  get status() { return statusOf(stateOf(this)); }

  get error() {
    const state = stateOf(this);
    if (statusOf(state) !== 'errored') throw badStatus('must be errored');
    return errorOf(state);
  }

  async link(linker) { await link(stateOf(this), linker); }

  async evaluate(options = {}) { await evaluate(stateOf(this), options); }

  [inspectCustom](depth, options) {
    const state = stateOf(this);
    const name = this.constructor?.name ?? state.kind;
    if (typeof depth === 'number' && depth < 0) return `[${name}]`;
    const own = (value) => ({ value, enumerable: true });
    const shown = Object.create(Object.getPrototypeOf(this), { status: own(statusOf(state)),
      identifier: own(state.identifier), context: own(state.context),
      [inspectCustom]: { value: undefined } });
    return require('internal/inspect/inspect').inspect(shown, options);
  }
}

function checkSource(options) {
  checkOptions(options);
  const { lineOffset = 0, columnOffset = 0, initializeImportMeta, importModuleDynamically,
    cachedData } = options;
  validateInt32(lineOffset, 'options.lineOffset');
  validateInt32(columnOffset, 'options.columnOffset');
  if (initializeImportMeta !== undefined)
    validateFunction(initializeImportMeta, 'options.initializeImportMeta');
  checkCallback(importModuleDynamically);
  if (cachedData !== undefined && !ArrayBuffer.isView(cachedData))
    throw invalidArgType('options.cachedData', ['Buffer', 'TypedArray', 'DataView'], cachedData);
}

class SourceTextModule extends Module {
  constructor(sourceText, options = {}) {
    validateString(sourceText, 'sourceText');
    checkSource(options);
    super(options);
    const { cachedData, initializeImportMeta, importModuleDynamically } = options;
    const state = states.get(this);
    state.kind = 'SourceTextModule';
    state.source = sourceText;
    const name = named(state.identifier, { callback: importModuleDynamically, referrer: this,
      fillMeta: initializeImportMeta });
    require('internal/modules/sources').keep(state.identifier, sourceText);
    state.engine = checked(() => state.home.module(sourceText, name));
    const found = state.engine(REQUESTS);
    for (let i = 0; i < found.length; i += 2)
      state.requests.push({ specifier: found[i], attributes: copyOf(found[i + 1]) });
    if (cachedData !== undefined && !isCacheOf(cachedData, sourceText)) {
      throw withCode(Error, 'ERR_VM_MODULE_CACHED_DATA_REJECTED', 'cachedData buffer was rejected');
    }
  }

  get dependencySpecifiers() {
    const state = stateOf(this, 'SourceTextModule');
    return state.specifiers ??= state.requests.map(({ specifier }) => specifier);
  }

  get status() { return statusOf(stateOf(this, 'SourceTextModule')); }

  get error() {
    stateOf(this, 'SourceTextModule');
    return super.error;
  }

  createCachedData() {
    const state = stateOf(this, 'SourceTextModule');
    const status = statusOf(state);
    if (status === 'evaluating' || status === 'evaluated' || status === 'errored') {
      throw withCode(Error, 'ERR_VM_MODULE_CANNOT_CREATE_CACHED_DATA',
        'Cached data cannot be created for a module which has been evaluated');
    }
    return fingerprint(state.source);
  }
}

// Objects of the engine's are the context's; those of the linker are the main one's.
function copyOf(attributes) { return { __proto__: null, ...attributes }; }

function checkNames(names) {
  const bad = () => invalidArgType('exportNames', 'Array of unique strings', names);
  if (!Array.isArray(names)) throw bad();
  const known = new Set();
  for (let i = 0; i < names.length; i++) {
    if (typeof names[i] !== 'string') throw bad();
    if (known.has(names[i]))
      throw invalidArgValue(`exportNames.${names[i]}`, names[i], 'is duplicated');
    known.add(names[i]);
  }
  return [...known];
}

class SyntheticModule extends Module {
  constructor(exportNames, evaluateCallback, options = {}) {
    const names = checkNames(exportNames);
    validateFunction(evaluateCallback, 'evaluateCallback');
    checkOptions(options);
    super(options);
    const state = states.get(this);
    state.kind = 'SyntheticModule';
    const name = named(state.identifier, { referrer: this,
      evaluate: () => { evaluateCallback.call(this); } });
    state.engine = state.home.module(names, name);
  }

  setExport(name, value) {
    const state = stateOf(this, 'SyntheticModule');
    validateString(name, 'name');
    if (state.engine(STATUS) < LINKED) throw badStatus('must be linked');
    if (!state.engine(SET_EXPORT, name, value))
      throw new ReferenceError(`Export '${name}' is not defined in module`);
  }
}

module.exports = { Module, SourceTextModule, SyntheticModule };
