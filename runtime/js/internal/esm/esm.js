'use strict';
// ES modules: the answers to what the engine's module loader asks.

const native = binding('modules');
const path = require('path');
const resolver = require('internal/modules/resolve');
const builtins = require('internal/builtins');
const finder = require('internal/esm/resolve');
const formats = require('internal/esm/formats');
const { withCode } = require('internal/errors/errors');
const { commonNames, exportNames } = require('internal/modules/cjs_names');
const { mapping } = require('internal/errors/stacks');
const { toUrl, toPath } = finder;

let known; // options are read after this module is loaded
const conditions = () => known ??= ['node', 'import', ...resolver.moreConditions()];

// The address of a module that shows another one's exports and says that they were ES exports:
// what require() gives for a module with a default export.
const FACADE = 'phasor:facade:';

const evaluated = new Map(); // sources without a file
const resolved = new Map(); // what was found before, by parent and name
const failures = new Map(); // errors of sources that do not compile
let hasWasm = false; // a file of WebAssembly was imported
const loaded = new Map(); // address -> {format, source, names} of what is to be evaluated
const shown = new Map(); // built-in modules that were imported: address -> the engine's module
let custom; // hooks that a program has registered

function defaultResolve(specifier, parent, more = conditions()) {
  try {
    return finder.resolve(specifier, parent, more);
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND' && error.code !== 'ERR_UNSUPPORTED_DIR_IMPORT')
      throw error;
    throw require('internal/esm/words').hintOfCommon(error, specifier,
      finder.parentAddress(parent));
  }
}

function resolve(specifier, parent, attributes) {
  if (parent.includes('\x01')) parent = parent.replace(/\x01.*$/, '');
  if (evaluated.has(specifier) || specifier.startsWith(FACADE)) return specifier;
  if (specifier.startsWith('node:') && resolver.builtinId(specifier) === undefined) {
    throw withCode(Error, 'ERR_UNKNOWN_BUILTIN_MODULE', `No such built-in module: ${specifier}`);
  }
  const key = `${specifier}\n${parent}\n${attributes?.type}`;
  const before = custom === undefined ? resolved.get(key) : undefined;
  if (before !== undefined) return before;
  const address = custom !== undefined ? custom.resolve(specifier, parent, attributes)
    : specifier === mainAddress && parent === mainAddress ? specifier
      : defaultResolve(specifier, parent);
  checkCycle(specifier, parent, address);
  if (requireDepth > 0 && /^https?:/.test(address)) {
    throw withCode(Error, 'ERR_NETWORK_IMPORT_DISALLOWED', `import of '${address}' by ${parent} ` +
      'is not supported: ES modules cannot be loaded by require() from the network');
  }
  resolved.set(key, address);
  return address;
}

function formatOf(address) {
  return loaded.get(address)?.format ?? formats.formatOfAddress(address, () => '');
}

function namesOfCommon(address, source) {
  const file = toPath(address);
  const cached = builtins.require('module')._cache[file];
  const names = commonNames(file, undefined, source);
  if (!cached?.loaded) return names;
  return [...new Set([...names, ...exportNames(cached.exports)])];
}

let requireDepth = 0; // require() of ES modules that have not returned

// A CommonJS file that requires an ES module can't be imported by it.
function checkCycle(specifier, parent, address) {
  if (requireDepth === 0 || specifier === address || !address.startsWith('file:')) return;
  const cached = builtins.require('module')._cache[toPath(address)];
  if (cached?.loaded !== false || formats.formatOfAddress(address) === 'module') return;
  throw withCode(Error, 'ERR_REQUIRE_CYCLE_MODULE',
    `Cannot import CommonJS Module ${specifier} in a cycle. (from ${finder.parentFile(parent)})`);
}

let onLoad; // told of the address of all that is loaded
function tellOfLoads(tell) { onLoad = tell; }

// The source of an ES module, or the names that another kind of module exports. Called again with
// the error if the source does not compile.
function load(address, attributes, error) {
  if (error !== undefined) {
    const told = require('internal/errors/syntax').tidied(error);
    failures.set(address, told);
    return told;
  }
  if (failures.has(address)) throw failures.get(address);
  if (evaluated.has(address)) return evaluated.get(address);
  if (address.startsWith(FACADE)) {
    const of = JSON.stringify(address.slice(FACADE.length));
    return `export * from ${of}; export { default } from ${of}; export const __esModule = true;`;
  }
  onLoad?.(address);
  const found = loadAs(address, attributes);
  const { format } = found;
  if (format === 'module') return keepSource(address, `${found.source}`);
  if (format === 'wasm') {
    hasWasm = true;
    return require('internal/wasm/esm').sourceOf(address, found.source);
  }
  const names = exportsOf(address, found);
  loaded.set(address, { ...found, names });
  return names;
}

// An import that failed for its type fails so again.
function loadAs(address, attributes) {
  const key = `${address}\n${attributes?.type}`;
  if (failures.has(key)) throw failures.get(key);
  try {
    return custom !== undefined ? custom.load(address, attributes)
      : formats.load(address, attributes, undefined, requireDepth > 0);
  } catch (error) {
    if (/^ERR_IMPORT_A/.test(error?.code)) failures.set(key, error);
    throw error;
  }
}

function keepSource(address, source) {
  if (custom !== undefined || !address.startsWith('file:'))
    require('internal/modules/sources').keep(address, source);
  if (mapping.frames !== undefined)
    require('internal/errors/source_map').note(address, source);
  return source.charCodeAt(0) === 0xFEFF ? source.slice(1) : source;
}

function exportsOf(address, { format, source }) {
  if (format === 'builtin') return exportNames(builtins.require(address.slice(5)));
  if (format === 'json') return ['default'];
  if (format === 'commonjs') return namesOfCommon(address, source ?? undefined);
  throw formats.unknownFormat(format, address);
}

function pick(exports, names) {
  const values = names.map((name) => {
    if (name === 'default') return exports;
    try {
      return exports === null || exports === undefined ? undefined : exports[name];
    } catch {
      return undefined;
    }
  });
  return [names, values];
}

function parseJson(address, source) {
  const isFile = address.startsWith('file:');
  const file = isFile ? toPath(address) : address;
  const { _cache } = builtins.require('module');
  const isPlain = isFile && custom === undefined && !/[?#]/.test(address);
  if (isPlain && _cache[file]?.loaded) return _cache[file].exports;
  let value;
  try {
    value = JSON.parse(`${source}`.replace(/^\uFEFF/, ''));
  } catch (error) {
    error.message = `${file}: ${error.message}`;
    throw error;
  }
  if (isPlain) {
    const Module = builtins.require('module');
    const module = new Module(file);
    Object.assign(module, { filename: file, exports: value, loaded: true });
    _cache[file] = module;
  }
  return value;
}

function runCommon(address, source) {
  const Module = builtins.require('module');
  const file = toPath(address);
  if (source === null || source === undefined) return Module._load(file, null, false);
  const cached = Module._cache[file];
  if (cached !== undefined) return cached.exports;
  const module = new Module(file);
  module.filename = file;
  module.paths = Module._nodeModulePaths(path.dirname(file));
  Module._cache[file] = module;
  module._compile(`${source}`, file);
  module.loaded = true;
  return module.exports;
}

// Module: the engine's, which built-in modules are shown again with.
function evaluate(address, module) {
  if (address.includes('\x01')) return require('internal/vm/imports').evaluate(address);
  const { format, source, names } = loaded.get(address);
  if (format === 'builtin') {
    const exports = builtins.require(address.slice(5));
    shown.set(address, module);
    return pick(exports, names);
  }
  loaded.get(address).source = undefined;
  if (format === 'json') return [names, [parseJson(address, source)]];
  return pick(runCommon(address, source), names);
}

const SET_EXPORT = 7; // of the engine's module (runtime/engine/inside/vm_modules.c)

// What programs have changed in built-in modules since they were imported.
function syncBuiltinESMExports() {
  for (const [address, module] of shown) {
    if (module === undefined) continue;
    const exports = builtins.require(address.slice(5));
    const { names } = loaded.get(address);
    const [, values] = pick(exports, names);
    for (let i = 0; i < names.length; i++) {
      if (names[i] === 'default' || Object.hasOwn(exports, names[i]))
        module(SET_EXPORT, names[i], values[i]);
      else module(SET_EXPORT, names[i], undefined);
    }
  }
}

function metaResolve(specifier, parent, address) {
  if (parent !== undefined && typeof parent !== 'string' && !(parent instanceof URL))
    throw require('internal/errors/errors').invalidArgType('parentURL', ['string', 'URL'], parent);
  const from = parent === undefined ? address : `${parent}`;
  try {
    return custom !== undefined ? custom.resolve(`${specifier}`, from)
      : finder.resolve(`${specifier}`, from, conditions());
  } catch (error) {
    if (error.code !== 'ERR_UNSUPPORTED_DIR_IMPORT' && error.code !== 'ERR_MODULE_NOT_FOUND')
      throw error;
    if (error.url === undefined) throw error;
    return error.url;
  }
}

let fillMeta; // set by a hook: (meta, {url}, the default)
function setMetaFiller(fill) { fillMeta = fill; }

function importMeta(meta, address) {
  if (address.includes('\x01')) {
    require('internal/vm/imports').fillMeta(meta, address);
    return;
  }
  if (fillMeta === undefined) fillMetaAlone(meta, address);
  else fillMeta(meta, { url: address }, (other) => fillMetaAlone(other, address));
}

function fillMetaAlone(meta, address) {
  if (hasWasm && require('internal/wasm/esm').fillMeta(meta, address)) return;
  if (address.startsWith('file://')) {
    const file = toPath(address);
    meta.dirname = path.dirname(file);
    meta.filename = file;
  }
  const takesParent = process.execArgv.length > 0 &&
    require('internal/boot/options').isOn('experimental-import-meta-resolve');
  meta.resolve = takesParent
    ? (specifier, parent) => metaResolve(specifier, parent, address)
    : (specifier) => metaResolve(specifier, undefined, address);
  Object.defineProperty(meta.resolve, 'name', { value: 'resolve' });
  meta.url = address;
}

function linkError(kind, importer, request, name, found) {
  return require('internal/esm/words').linkError(kind, importer, request, name, found);
}

function importFailed(error) {
  require('internal/esm/words').explain(error);
}

const hooks = { resolve, load, evaluate, importMeta, linkError, importFailed };
for (const name of Object.keys(hooks)) builtins.setHook(name, hooks[name]);

let mainAddress; // of the program's first file, which is found already

function runMain(file) {
  mainAddress = toUrl(file);
  return native.importModule(mainAddress, mainAddress);
}

function requiredInCycle(file, from) {
  return withCode(Error, 'ERR_REQUIRE_CYCLE_MODULE',
    `Cannot require() ES Module ${file} in a cycle.${from ? ` (from ${from})` : ''}`);
}

function asyncModule(file, from) {
  return withCode(Error, 'ERR_REQUIRE_ASYNC_MODULE',
    'require() cannot be used on an ESM graph with top-level await. Use import() instead. To ' +
    'see where the top-level await comes from, use --experimental-print-required-tla.' +
    `${from ? `\n  From ${from} ` : ''}\n  Requiring ${file} `);
}

// What require() of an ES module gives. From: the file that requires.
function requireModule(file, from) {
  const address = toUrl(file);
  let found;
  requireDepth++;
  try {
    found = native.requireModule(address);
  } catch (error) {
    importFailed(error);
    throw error;
  } finally {
    requireDepth--;
  }
  if (found === 1) throw asyncModule(file, from);
  if (found === 2) throw requiredInCycle(file, from);
  if (Array.isArray(found)) {
    const [specifier, importer] = found;
    throw withCode(Error, 'ERR_REQUIRE_CYCLE_MODULE',
      `Cannot import Module ${specifier} in a cycle. (from ${finder.parentFile(importer)})`);
  }
  if (found === 3) { // an engine without our changes
    throw withCode(Error, 'ERR_REQUIRE_ESM',
      `require() of ES Module ${file} is not supported. Use import() instead.`);
  }
  if (Object.hasOwn(found, 'module.exports')) return found['module.exports'];
  if (!Object.hasOwn(found, 'default') || Object.hasOwn(found, '__esModule')) return found;
  return native.requireModule(FACADE + address);
}

function runSource(source, name) {
  const address = `${toUrl(path.join(process.cwd(), '.'))}/${name}`;
  evaluated.set(address, source);
  require('internal/modules/sources').keep(address, source);
  return require('internal/errors/syntax').checked(() => native.evalModule(source, address));
}

function setCustom(hooked) {
  custom = hooked;
  resolved.clear();
}

function isHooked() { return custom !== undefined; }

module.exports = {
  hooks, runMain, runSource, requireModule, requiredInCycle, formatOf, toUrl, toPath, setCustom,
  isHooked, tellOfLoads, setMetaFiller, defaultResolve, conditions, syncBuiltinESMExports,
  get looksLikeModule() { return formats.looksLikeModule; },
};
