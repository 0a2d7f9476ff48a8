'use strict';
// The object WebAssembly.

const { KIND, native, give, isKind } = require('internal/wasm/native');
const { CompileError, LinkError, RuntimeError, trap } = require('internal/wasm/errors');
const {
  Memory,
  Table,
  Global,
  complete,
  needNew,
  prototypeOf,
  isObject,
} = require('internal/wasm/objects');

const { isArrayBufferView, isAnyArrayBuffer } = require('util/types');
const isSource = (value) => isAnyArrayBuffer(value) || isArrayBufferView(value);

function needSource(value, context) {
  if (!isSource(value)) throw new TypeError(`${context}: Argument 0 must be a buffer source`);
}

function compileModule(bytes, prototype, context) {
  const result = native().compile(bytes, prototype);
  if (typeof result === 'string') throw new CompileError(`${context}: ${result}`);
  return result;
}

function Module(bytes) {
  const context = 'WebAssembly.Module()';
  needNew(new.target, 'Module');
  needSource(bytes, context);
  return compileModule(bytes, prototypeOf(new.target, Module), context);
}

function needModule(value, context) {
  if (!isKind(value, KIND.MODULE)) {
    throw new TypeError(`${context}: Argument 0 must be a WebAssembly.Module`);
  }
}

function rows(flat, names) {
  const list = [];
  for (let i = 0; i < flat.length; i += names.length) {
    const row = {};
    names.forEach((name, at) => {
      row[name] = flat[i + at];
    });
    list.push(row);
  }
  return list;
}

Object.assign(Module, {
  imports(module) {
    needModule(module, 'WebAssembly.Module.imports()');
    return rows(native().imports(module), ['module', 'name', 'kind']);
  },
  exports(module) {
    needModule(module, 'WebAssembly.Module.exports()');
    return rows(native().exports(module), ['name', 'kind']);
  },
  customSections(module, name) {
    const context = 'WebAssembly.Module.customSections()';
    needModule(module, context);
    if (name === undefined) throw new TypeError(`${context}: Argument 1 is required`);
    return native().customSections(module, `${name}`);
  },
});
Object.defineProperty(Module.customSections, 'length', { value: 2, configurable: true });

// The values that a module's imports name.
function readImports(module, imports, context) {
  const flat = native().imports(module);
  if (flat.length > 0 && !isObject(imports)) {
    throw new TypeError(
      `${context}: Imports argument must be present and must be an object`);
  }
  const values = [];
  for (let i = 0; i < flat.length; i += 3) {
    const from = imports[flat[i]];
    if (!isObject(from)) {
      throw new TypeError(`${context}: Import #${i / 3} module="${flat[i]}" error: module is not ` +
        'an object or function');
    }
    values.push(from[flat[i + 1]]);
  }
  return values;
}

function instanceExports(module, imports, context) {
  const values = readImports(module, imports, context);
  const result = native().link(module, values);
  if (typeof result === 'string') throw new LinkError(`${context}: ${result}`);
  const exports = { __proto__: null };
  for (let i = 0; i < result.length; i += 2) {
    Object.defineProperty(exports, result[i],
      { value: result[i + 1], writable: false, enumerable: true, configurable: false });
  }
  return Object.freeze(exports);
}

const exportsOf = new WeakMap();

function makeInstance(prototype, module, imports, context) {
  const instance = Object.create(prototype);
  exportsOf.set(instance, instanceExports(module, imports, context));
  return instance;
}

function Instance(module, imports) {
  const context = 'WebAssembly.Instance()';
  needNew(new.target, 'Instance');
  needModule(module, context);
  if (imports !== undefined && !isObject(imports)) {
    throw new TypeError(`${context}: Argument 1 must be an object`);
  }
  return makeInstance(prototypeOf(new.target, Instance), module, imports, context);
}

complete(Module, 'Module', {});
complete(Instance, 'Instance', {
  get exports() {
    const exports = isObject(this) ? exportsOf.get(this) : undefined;
    if (exports === undefined) {
      throw new TypeError('WebAssembly.Instance.exports: Receiver is not a WebAssembly.Instance');
    }
    return exports;
  },
});

async function compileIn(bytes, context) {
  needSource(bytes, context);
  return compileModule(bytes, Module.prototype, context);
}

// A module from the network has its address in stack traces.
function compileFrom([bytes, url], context) {
  const module = compileModule(bytes, Module.prototype, context);
  if (url !== '') native().setUrl(module, url);
  return module;
}

async function instantiateIn(source, imports, context) {
  const isModule = isKind(source, KIND.MODULE);
  if (!isModule && !isSource(source)) {
    throw new TypeError(
      `${context}: Argument 0 must be a buffer source or a WebAssembly.Module object`);
  }
  if (imports !== undefined && !isObject(imports)) {
    throw new TypeError(`${context}: Argument 1 must be an object`);
  }
  if (isModule) {
    await undefined;
    return makeInstance(Instance.prototype, source, imports, context);
  }
  const module = compileModule(source, Module.prototype, context);
  await undefined;
  return { module, instance: makeInstance(Instance.prototype, module, imports, context) };
}

// The bytes of a Response that says that they are WebAssembly.
async function bodyOf(source) {
  const { invalidArgType, withCode } = require('internal/errors/errors');
  const { Response } = require('internal/fetch/fetch');
  const refuse = (reason) =>
    withCode(TypeError, 'ERR_WEBASSEMBLY_RESPONSE', `WebAssembly response ${reason}`);
  const response = await source;
  if (!(response instanceof Response)) {
    throw invalidArgType('source', ['Response', 'Promise resolving to Response'], response);
  }
  const type = response.headers.get('Content-Type');
  if (type !== 'application/wasm') throw refuse(`has unsupported MIME type '${type}'`);
  if (!response.ok) throw refuse(`has status code ${response.status}`);
  if (response.bodyUsed) throw refuse('body has already been used');
  const parts = [];
  for await (const chunk of response.body ?? []) {
    if (!isSource(chunk)) {
      throw invalidArgType('chunk', ['ArrayBuffer', 'ArrayBufferView'], chunk);
    }
    parts.push(isAnyArrayBuffer(chunk) ? new Uint8Array(chunk)
      : new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength));
  }
  return [Buffer.concat(parts), response.url];
}

const WAITED = { __proto__: null, 'ok': 0, 'not-equal': 1, 'timed-out': 2 };

// memory.atomic.wait: the numbers of its answer are the format's.
function wait(bytes, at, isWide, expected, nanoseconds) {
  const view = isWide ? new BigInt64Array(bytes) : new Int32Array(bytes);
  return WAITED[Atomics.wait(view, at / view.BYTES_PER_ELEMENT, expected,
    nanoseconds < 0 ? Infinity : nanoseconds / 1e6)];
}

function notify(bytes, at, count) {
  return Atomics.notify(new Int32Array(bytes), at / 4, count);
}

function refuse(value) {
  const { DOMException } = require('internal/errors/dom_exception');
  throw new DOMException(`#<${value.constructor.name}> could not be cloned.`, 'DataCloneError');
}

const namespace = {
  compile(bytes) {
    return compileIn(bytes, 'WebAssembly.compile()');
  },
  validate(bytes) {
    needSource(bytes, 'WebAssembly.validate()');
    return native().validate(bytes);
  },
  instantiate(source, imports) {
    return instantiateIn(source, imports, 'WebAssembly.instantiate()');
  },
  compileStreaming(source) {
    return bodyOf(source).then((got) => compileFrom(got, 'WebAssembly.compileStreaming()'));
  },
  instantiateStreaming(source, imports) {
    const context = 'WebAssembly.instantiateStreaming()';
    return bodyOf(source).then(async (got) => {
      const module = compileFrom(got, context);
      return { module, instance: await instantiateIn(module, imports, context) };
    });
  },
};
Object.defineProperty(namespace.instantiate, 'length', { value: 1, configurable: true });
Object.defineProperty(namespace.instantiateStreaming, 'length', { value: 1, configurable: true });
const constructors = { Module, Instance, Table, Memory, Global, CompileError, LinkError,
  RuntimeError };
for (const [name, value] of Object.entries(constructors)) {
  Object.defineProperty(namespace, name,
    { value, writable: true, enumerable: false, configurable: true });
}
Object.defineProperty(namespace, Symbol.toStringTag,
  { value: 'WebAssembly', configurable: true });

give([undefined, Table.prototype, Memory.prototype, Global.prototype, undefined, Module.prototype,
  trap, (iterable) => [...iterable], (size) => new SharedArrayBuffer(size), wait, notify]);

// What messages to other threads carry: modules, and memories that are shared.
const { register } = require('internal/crypto/kinds');
register('WebAssembly.Module', {
  is: (value) => isKind(value, KIND.MODULE),
  pack: (module) => native().bytes(module),
  revive: (bytes) => compileModule(bytes, Module.prototype, 'WebAssembly.Module()'),
});
register('WebAssembly.Memory', {
  is: (value) => isKind(value, KIND.MEMORY),
  pack: (memory) => native().sharedParts(memory) ?? refuse(memory),
  revive: (parts) => native().openShared(...parts),
});
register('WebAssembly', {
  is: (value) => isKind(value, KIND.TABLE) || isKind(value, KIND.GLOBAL) || exportsOf.has(value),
  pack: (value) => refuse(value),
});

if (process.execArgv.length > 0 &&
    require('internal/boot/options').isOn('experimental-fetch') === false) {
  delete namespace.compileStreaming;
  delete namespace.instantiateStreaming;
}

// WebAssembly for a context of vm that may not compile (codeGeneration: { wasm: false }).
function withoutCompiling() {
  const refusal = (context) =>
    new CompileError(`${context}: Wasm code generation disallowed by embedder`);
  const Refusing = function Module() {
    throw refusal('WebAssembly.Module()');
  };
  Refusing.prototype = Module.prototype;
  const made = Object.defineProperties({}, Object.getOwnPropertyDescriptors(namespace));
  made.Module = Refusing;
  made.compile = async () => {
    throw refusal('WebAssembly.compile()');
  };
  made.instantiate = async (source, imports) => {
    if (isKind(source, KIND.MODULE)) return namespace.instantiate(source, imports);
    throw refusal('WebAssembly.instantiate()');
  };
  return made;
}

module.exports = { WebAssembly: namespace, withoutCompiling };
