'use strict';
// ShadowRealm: worlds of their own in this thread, from which only primitive values and functions
// come and go. All that crosses the border is handled here, in the main realm; errors and functions
// are made by the side that gets them (internal/shadow_realm_side), so that nothing leaks.

const native = binding('vm');
const esm = require('internal/esm/esm');
const finder = require('internal/esm/resolve');
const { makeClass } = require('internal/vm/shadow_realm_side');

const { apply } = Reflect;
const realms = new WeakSet(); // global objects

const refusal = (words) => ({ __proto__: null, ok: false, words });
const given = (value) => ({ __proto__: null, ok: true, value });

const shape = (value) => Object.prototype.toString.call(value);

// What an error says, without trusting that it is one.
function describe(value) {
  try {
    if (typeof value !== 'object' && typeof value !== 'function') return String(value);
    if (!binding('util').isError(value)) return shape(value);
    const { name, message } = value;
    const kind = typeof name === 'string' ? name : 'Error';
    return typeof message === 'string' && message !== '' ? `${kind}: ${message}` : kind;
  } catch {
    return 'unknown';
  }
}

// The length that a wrapped function shows.
function lengthOf(target) {
  const length = Object.hasOwn(target, 'length') ? target.length : 0;
  if (typeof length !== 'number' || Number.isNaN(length)) return 0;
  return length === Infinity ? Infinity : Math.max(0, Math.trunc(length));
}

// A value of one side for another.
function pass(value, from, to) {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function'))
    return given(value);
  if (typeof value !== 'function') return refusal(`${shape(value)} is not a function`);
  try {
    const length = lengthOf(value);
    const { name } = value;
    return given(to.wrap(sender(value, from, to), typeof name === 'string' ? name : '', length));
  } catch (error) {
    return refusal(`Cannot wrap target callable (${describe(error)})`);
  }
}

// Calls the target of one side for a caller of another.
function sender(target, owner, caller) {
  return function send(self, args) {
    const passed = [pass(self, caller, owner)];
    for (let i = 0; i < args.length; i++) passed.push(pass(args[i], caller, owner));
    const refused = passed.find((one) => !one.ok);
    if (refused !== undefined)
      return refusal(refused.words.replace('[object Object]', '#<Object>'));
    let result;
    try {
      result = apply(target, passed[0].value, passed.slice(1).map((one) => one.value));
    } catch (error) {
      return refusal(`WrappedFunction threw (${describe(error)})`);
    }
    return pass(result, owner, caller);
  };
}

function create() {
  const [global, run, load, builtin] = native.newRealm();
  const module = { exports: {} };
  builtin('internal/vm/shadow_realm_side')(module.exports, undefined, module);
  const { side, setUp } = module.exports;
  realms.add(global);
  esm.setRealm(hooks);
  setUp(host, builtin);
  return { run, load, side };
}

function evaluate(caller, inner, source) {
  try {
    inner.run(source, '<anonymous>', true);
  } catch (error) {
    const words = require('internal/errors/syntax').tidied(error).message;
    return { __proto__: null, ok: false, isSyntax: true, words: `${words}` };
  }
  let result;
  try {
    result = inner.side.evaluate(source);
  } catch (error) {
    return refusal(`ShadowRealm evaluate threw (${describe(error)})`);
  }
  return pass(result, inner.side, caller);
}

function importValue(caller, inner, specifier, name, resolve, reject) {
  const fail = (error) => reject(`Cannot import in ShadowRealm (${describe(error)})`);
  const onModule = (namespace) => {
    if (!Object.hasOwn(namespace, name)) {
      reject(`The requested module '${specifier}' does not provide an export named '${name}'`);
      return;
    }
    const passed = pass(namespace[name], inner.side, caller);
    if (passed.ok) resolve(passed.value);
    else reject(passed.words);
  };
  let promise;
  try {
    promise = inner.load(specifier, '<anonymous>');
  } catch (error) {
    fail(error);
    return;
  }
  inner.side.settle(promise, onModule, fail);
}

function attempt(call) {
  try {
    return given(call());
  } catch (error) {
    return refusal(describe(error));
  }
}

// Bytes of a realm, for functions of this one.
function copied(input) {
  if (input === undefined) return undefined;
  const bytes = ArrayBuffer.isView(input)
    ? new Uint8Array(input.buffer, input.byteOffset, input.byteLength) : new Uint8Array(input);
  return bytes.slice();
}

const host = {
  __proto__: null,
  create,
  evaluate,
  importValue,
  encode: (text) => new TextEncoder().encode(text),
  encodeInto(text, length) {
    const bytes = new Uint8Array(Math.min(length, text.length * 3));
    const { read, written } = new TextEncoder().encodeInto(text, bytes);
    return { __proto__: null, read, written, bytes: bytes.subarray(0, written) };
  },
  decoder: (label, fatal, ignoreBOM) =>
    attempt(() => new TextDecoder(label, { fatal, ignoreBOM })),
  decode: (decoder, input, stream) => attempt(() => decoder.decode(copied(input), { stream })),
};

// The answers to what the engine's module loader asks about a realm: its modules are ES modules,
// found by the rules of import without hooks, and none is built in. A refusal is told in words, for
// an error of that realm.
const hooks = {
  has: (global) => realms.has(global),

  resolve(specifier, parent) {
    const from = /^(file|data):/.test(parent) ? parent
      : require('url').pathToFileURL(`${process.cwd()}/`).href;
    try {
      const id = require('internal/modules/resolve').builtinId(specifier);
      if (specifier.startsWith('node:')) throw new Error(`No such built-in module: ${specifier}`);
      if (id !== undefined) {
        throw new Error(`Cannot find package '${specifier}' imported from ` +
          finder.parentFile(from));
      }
      return finder.resolve(specifier, from, esm.conditions());
    } catch (error) {
      return { words: error.message, isType: error instanceof TypeError };
    }
  },

  load(address, attributes) {
    try {
      const { format, source } = require('internal/esm/formats').load(address, attributes);
      const text = `${source ?? binding('fs').readFileSync(finder.toPath(address), true, 0)}`
        .replace(/^\uFEFF/, '');
      if (format === 'module') return text;
      if (format === 'json') return `export default JSON.parse(${JSON.stringify(text)});`;
      if (format !== 'commonjs') throw new Error(`Unknown module format: ${format}`);
      return `const module = { exports: {} };\n(function (exports, module) {${text}\n})` +
        '.call(module.exports, module.exports, module);\nexport default module.exports;';
    } catch (error) {
      return { words: error.message, isType: error instanceof TypeError };
    }
  },

  importMeta(meta, address) {
    if (address.startsWith('file:')) {
      meta.filename = finder.toPath(address);
      meta.dirname = require('path').dirname(meta.filename);
    }
    meta.url = address;
  },
};

module.exports = { ShadowRealm: makeClass(host) };
