'use strict';
// The domain Runtime: contexts, evaluation, objects, messages of the console, exceptions.

const native = binding('inspector');
const agent = require('internal/inspector/agent');
const frames = require('internal/inspector/frames');
const { ProtocolError } = require('internal/inspector/objects');
const { isNativeError: isError } = require('util/types');
const { getProperties } = require('internal/inspector/properties');

const MAIN = 1;
const contexts = new Map(); // by number: { id, name, key, run, auxData }
let lastContext = MAIN;
let lastException = 0;
let lastResult; // $_

contexts.set(MAIN, {
  id: MAIN, name: `${process.argv0}[${process.pid}]`, origin: '',
  auxData: { isDefault: true },
  run: (source, file, timeout) => timeout > 0
    ? binding('vm').run(source, file, false, timeout)
    : binding('modules').runScript(source, file),
});

function describeContext({ id, name, origin, auxData }) {
  return { context: { id, origin, name, uniqueId: `${id}.${process.pid}`, auxData } };
}

// A context that the program has made: { name, origin, run }. Gives a function that ends it.
function addContext(given) {
  const context = { id: ++lastContext, origin: '', auxData: { isDefault: false }, ...given };
  contexts.set(context.id, context);
  agent.tellAll('Runtime', 'executionContextCreated', () => describeContext(context));
  return () => {
    contexts.delete(context.id);
    tellDestroyed(context.id);
  };
}

// By the engine's key for it.
function contextOf(key) {
  for (const context of contexts.values()) if (context.key === key) return context.id;
  return MAIN;
}

function describeException(error, session, options, text = 'Uncaught') {
  const [, line = '1', column = '1'] =
    /:(\d+):(\d+)\)?$/m.exec(String(Object(error).stack ?? '')) ?? [];
  const trace = frames.stackTrace();
  return {
    exceptionId: ++lastException, text, lineNumber: line - 1, columnNumber: column - 1,
    ...trace && { stackTrace: trace },
    exception: session.objects.wrap(error, { ...options, returnByValue: false }),
    executionContextId: MAIN,
  };
}

function optionsOf({ objectGroup, returnByValue, generatePreview }) {
  return { group: objectGroup, returnByValue: returnByValue === true,
    generatePreview: generatePreview === true };
}

function failed(session, params, error, text) {
  const options = optionsOf(params);
  return { result: session.objects.wrap(error, { ...options, returnByValue: false }),
    exceptionDetails: describeException(error, session, options, text) };
}

function awaited(session, params, value) {
  return Promise.resolve(value).then(
    (result) => ({ result: session.objects.wrap(result, optionsOf(params)) }),
    (error) => failed(session, params, error,
      `Uncaught (in promise)${isError(error) ? ` ${error.name}: ${error.message}` : ''}`));
}

// The answer to a command that runs the program's code.
function evaluated(session, params, work) {
  if (params.throwOnSideEffect) {
    return failed(session, params, new EvalError('Possible side-effect in debug-evaluate'));
  }
  let value;
  try {
    value = native.loudly(work);
  } catch (error) {
    if (error?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
      throw new ProtocolError('Execution was terminated');
    }
    return failed(session, params, error);
  }
  if (params.objectGroup === 'console') lastResult = value;
  if (params.awaitPromise) return awaited(session, params, value);
  return { result: session.objects.wrap(value, optionsOf(params)) };
}

let consoleRequire;

function commandLineNames(session) {
  const { debugFunction } = require('internal/inspector/breakpoints');
  return {
    debug: (fn) => debugFunction(session, fn, true),
    undebug: (fn) => debugFunction(session, fn, false),
    get require() {
      if (consoleRequire === undefined) {
        const Module = require('module');
        const module = new Module('<inspector console>');
        module.filename = require('path').join(process.cwd(), 'noop.js');
        module.paths = Module._nodeModulePaths(process.cwd());
        consoleRequire = Module._makeRequire(module);
      }
      return consoleRequire;
    },
    get $_() { return lastResult; },
    keys: (object) => Object.keys(object),
    values: (object) => Object.values(object),
    dir: (...args) => console.dir(...args),
    table: (...args) => console.table(...args),
  };
}

// Names that the client may use, as long as the program has none of them.
function withCommandLine(session, work) {
  const names = commandLineNames(session);
  const added = [];
  for (const key of Object.keys(names)) {
    if (key in globalThis) continue;
    Object.defineProperty(globalThis, key,
      { ...Object.getOwnPropertyDescriptor(names, key), configurable: true, enumerable: false });
    added.push(key);
  }
  try {
    return work();
  } finally {
    for (const key of added) delete globalThis[key];
  }
}

function contextFor({ contextId, executionContextId = contextId }) {
  const context = contexts.get(executionContextId ?? MAIN);
  if (context === undefined) throw new ProtocolError('Cannot find context with specified id');
  return context;
}

// At a prompt, code may await, and what it gives is the value of its last statement.
function isAwaiting(expression) {
  if (!/\bawait\b/.test(expression)) return false;
  try {
    binding('modules').runScript(expression, '<evaluate>', false, true);
    return false;
  } catch {
    return true;
  }
}

function evaluate(session, params) {
  const { expression, includeCommandLineAPI, replMode } = params;
  if (typeof expression !== 'string') {
    throw new ProtocolError('Invalid parameters', -32602,
      'Failed to deserialize params.expression - BINDINGS: mandatory field missing at position 0');
  }
  const context = contextFor(params);
  if (replMode && isAwaiting(expression)) {
    const run = () => binding('modules').runScript(expression, '', true);
    return evaluated(session, { ...params, awaitPromise: true },
      () => run().then(({ value }) => value));
  }
  const { timeout } = params;
  const run = () => context.run(expression, '', timeout === undefined ? 0 : Math.max(timeout, 1));
  const isPlain = !includeCommandLineAPI || context.id !== MAIN;
  return evaluated(session, params, isPlain ? run : () => withCommandLine(session, run));
}

// A CallArgument.
function fromArgument(session, argument = {}) {
  if (argument.objectId !== undefined) return session.objects.find(argument.objectId).value;
  const { unserializableValue: text } = argument;
  if (text === undefined) return argument.value;
  if (/^-?\d+n$/.test(text)) return BigInt(text.slice(0, -1));
  return { NaN, 'Infinity': Infinity, '-Infinity': -Infinity, '-0': -0 }[text];
}

function callFunctionOn(session, params) {
  const { functionDeclaration, objectId, arguments: given = [] } = params;
  const context = contextFor(params);
  if (objectId === undefined && params.executionContextId === undefined) {
    throw new ProtocolError(
      'Either objectId or executionContextId or uniqueContextId must be specified');
  }
  const held = objectId === undefined ? { value: undefined } : session.objects.find(objectId);
  const args = given.map((argument) => fromArgument(session, argument));
  const group = { objectGroup: held.group, ...params };
  return evaluated(session, group, () => {
    const fn = context.run(`(${functionDeclaration})`, '', 0);
    if (typeof fn !== 'function') {
      throw new ProtocolError('Given expression does not evaluate to a function');
    }
    return Reflect.apply(fn, held.value, args);
  });
}

function awaitPromise(session, params) {
  const { value } = session.objects.find(params.promiseObjectId);
  if (!require('util/types').isPromise(value)) {
    throw new ProtocolError('Could not find promise with given id');
  }
  return awaited(session, params, value);
}

const compiled = new Map();

function compileScript(session, { expression, sourceURL, persistScript, executionContextId }) {
  contextFor({ executionContextId });
  try {
    binding('modules').runScript(expression, sourceURL, false, true);
  } catch (error) {
    return { exceptionDetails: describeException(error, session, {}) };
  }
  if (!persistScript) return {};
  const scriptId = `${-1 - compiled.size}`;
  compiled.set(scriptId, { expression, sourceURL });
  return { scriptId };
}

function runScript(session, params) {
  const found = compiled.get(params.scriptId);
  if (found === undefined) throw new ProtocolError('No script with given id');
  return evaluated(session, params,
    () => contextFor(params).run(found.expression, found.sourceURL ?? '', 0));
}

function enable(session) {
  if (session.enabled.has('Runtime')) return;
  session.enabled.add('Runtime');
  for (const context of contexts.values()) {
    session.tell('Runtime.executionContextCreated', describeContext(context));
  }
  require('internal/inspector/console').replay(session);
}

function tellUncaught(error) {
  agent.tellAll('Runtime', 'exceptionThrown', (session) =>
    ({ timestamp: Date.now(), exceptionDetails: describeException(error, session, {}) }));
}

// The program ends, or a context that it has made.
function tellDestroyed(id = MAIN) {
  agent.tellAll('Runtime', 'executionContextDestroyed', () =>
    ({ executionContextId: id, executionContextUniqueId: `${id}.${process.pid}` }));
}

const commands = {
  Runtime: {
    enable,
    disable(session) { session.enabled.delete('Runtime'); },
    evaluate,
    callFunctionOn,
    getProperties,
    awaitPromise,
    compileScript,
    runScript,
    releaseObject(session, { objectId }) { session.objects.release(objectId); },
    releaseObjectGroup(session, { objectGroup }) { session.objects.releaseGroup(objectGroup); },
    runIfWaitingForDebugger() { agent.isWaiting = false; },
    globalLexicalScopeNames: () => ({ names: [] }),
    getIsolateId: () => ({ id: `${process.pid}` }),
    getHeapUsage() {
      const { heapUsed, heapTotal } = process.memoryUsage();
      return { usedSize: heapUsed, totalSize: heapTotal };
    },
    discardConsoleEntries() { require('internal/inspector/console').clear(); },
    setAsyncCallStackDepth() {},
    setCustomObjectFormatterEnabled() {},
    setMaxCallStackSizeToCapture() {},
    terminateExecution() {},
    addBinding(session, { name }) {
      const tell = (payload) => session.tell('Runtime.bindingCalled',
        { name, payload: `${payload}`, executionContextId: MAIN });
      Object.defineProperty(globalThis, name, { value: tell, configurable: true, writable: true });
    },
    removeBinding() {},
  },
};

module.exports = { commands, evaluated, withCommandLine, fromArgument, tellUncaught, tellDestroyed,
  addContext, contextOf };
