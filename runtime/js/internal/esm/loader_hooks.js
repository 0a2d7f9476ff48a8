'use strict';
// module.register and --experimental-loader: hooks run in a thread of their own, and this thread
// waits for their answers.

const { MessageChannel, native, kRelease, kReceive } = require('internal/messages/port');
const { withCode, invalidArgType } = require('internal/errors/errors');

const IDLE = 0;
const ENDED = 2; // of the first word: the thread is gone, the second has its status

let control; // the port to the thread
let state;

function start() {
  const channel = new MessageChannel();
  control = channel.port1;
  state = new Int32Array(new SharedArrayBuffer(8));
  control.postMessage({ state, conditions: require('internal/esm/esm').conditions(),
    execArgv: process.execArgv });
  native.start(JSON.stringify({
    hooks: true, file: '', argv: [], env: process.env, name: '', cwd: process.cwd(),
  }), channel.port2[kRelease]());
  wait();
  require('internal/esm/esm').setCustom({ resolve, load });
}

function wait() {
  while (Atomics.load(state, 0) === IDLE) Atomics.wait(state, 0, IDLE);
  if (Atomics.load(state, 0) === ENDED) {
    const code = Atomics.load(state, 1);
    // A hook that never answers is as a module that awaits for ever.
    process.reallyExit(code);
  }
  Atomics.store(state, 0, IDLE);
}

function revive(error) {
  if (error === null || typeof error !== 'object' || !error.isError) return error?.value;
  const Base = globalThis[error.type];
  const made = typeof Base === 'function' && Error.isPrototypeOf(Base) ? new Base(error.message)
    : new Error(error.message);
  Object.defineProperty(made, 'stack',
    { value: error.stack, writable: true, configurable: true, enumerable: false });
  if (made.name !== error.name) {
    Object.defineProperty(made, 'name',
      { value: error.name, writable: true, configurable: true, enumerable: false });
  }
  return Object.assign(made, error.more);
}

function ask(method, args, transfer) {
  if (control === undefined) start();
  control.postMessage({ method, args }, transfer);
  wait();
  const { message } = control[kReceive]();
  if ('error' in message) throw revive(message.error);
  return message.result;
}

const formats = new Map(); // what resolve hooks said of an address
const attributesOf = new Map();

function resolve(specifier, parent, attributes) {
  const { parentAddress } = require('internal/esm/resolve');
  const parentURL = specifier === parent ? undefined : parentAddress(parent);
  const found = ask('resolve', [specifier, parentURL, { ...attributes }]);
  formats.set(found.url, found.format);
  if (found.importAttributes !== undefined) attributesOf.set(found.url, found.importAttributes);
  return found.url;
}

function load(address, attributes) {
  const given = attributesOf.get(address) ?? attributes;
  const { format, source } = ask('load', [address, formats.get(address), { ...given }]);
  if (!['builtin', 'commonjs', 'json', 'module', 'wasm'].includes(format)) {
    throw withCode(RangeError, 'ERR_UNKNOWN_MODULE_FORMAT',
      `Unknown module format: ${format} for URL ${address}`);
  }
  if ((format === 'module' || format === 'json') && (source === null || source === undefined)) {
    throw withCode(TypeError, 'ERR_INVALID_RETURN_PROPERTY_VALUE',
      'Expected a string, an array buffer, or a typed array to be returned for the "source" from ' +
      `the "load" function but got ${source}.`);
  }
  if (source === null || source === undefined || typeof source === 'string')
    return { format, source };
  return { format, source: format === 'wasm' ? source : new TextDecoder().decode(source) };
}

function register(specifier, parentURL, options) {
  if (parentURL !== null && typeof parentURL === 'object' && !(parentURL instanceof URL)) {
    options = parentURL;
    parentURL = options.parentURL;
  }
  const name = specifier instanceof URL ? specifier.href : specifier;
  if (typeof name !== 'string') throw invalidArgType('specifier', ['string', 'URL'], specifier);
  const preload = ask('register', [name, `${parentURL ?? 'data:'}`, options?.data],
    options?.transferList);
  if (preload !== undefined) runPreload(preload);
}

// What a globalPreload hook wants to be run here, with names of its own.
function runPreload({ code, port }) {
  const getBuiltin = (name) => {
    if (require('module').isBuiltin(name)) return require('internal/builtins').require(
      name.replace(/^node:/, ''));
    throw withCode(Error, 'ERR_UNKNOWN_BUILTIN_MODULE', `No such built-in module: ${name}`);
  };
  const setImportMetaCallback = (fill) => require('internal/esm/esm').setMetaFiller(fill);
  const run = require('vm').compileFunction(code,
    ['getBuiltin', 'port', 'setImportMetaCallback'], { filename: '<preload>' });
  Reflect.apply(run, globalThis, [getBuiltin, port, setImportMetaCallback]);
}

// --experimental-loader
function registerAll(names) {
  process.emitWarning(
    '`--experimental-loader` may be removed in the future; instead use `register()`:\n' +
    `--import 'data:text/javascript,import { register } from "node:module"; import { ` +
    'pathToFileURL } from "node:url"; ' +
    `${names.map((name) => `register(${JSON.stringify(name)}, pathToFileURL("./"))`).join('; ')};'`,
    'ExperimentalWarning');
  const base = `${require('internal/esm/resolve').toUrl(process.cwd())}/`;
  for (const name of names) register(name, base);
}

module.exports = { register, registerAll };
