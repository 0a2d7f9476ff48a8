'use strict';
// ES modules: the answers to what the engine's module loader asks.

const fs = binding('fs');
const native = binding('modules');
const path = require('path');
const resolver = require('internal/resolve');
const builtins = require('internal/builtins');
const { withCode } = require('internal/errors');

let known; // options are read after this module is loaded
const conditions = () => known ??= ['node', 'import', 'module-sync', ...resolver.moreConditions()];

// The address of a module that shows another one's exports and says that they were ES exports:
// what require() gives for a module with a default export.
const FACADE = 'phasor:facade:';

function toUrl(file) {
  return `file://${encodeURI(file).replace(/[?#]/g, encodeURIComponent)}`;
}

function toPath(address) {
  return decodeURIComponent(address.slice(7).replace(/[?#].*$/, ''));
}

function parentFile(parent) {
  if (parent.startsWith('file://')) return toPath(parent);
  if (parent.startsWith('/')) return parent;
  return path.join(process.cwd(), '[eval]');
}

function notFound(what, parent, url) {
  const error = withCode(Error, 'ERR_MODULE_NOT_FOUND', `${what} imported from ${parent}`);
  if (url !== undefined) error.url = url;
  return error;
}

function resolve(specifier, parent) {
  const id = resolver.builtinId(specifier);
  if (id !== undefined) return `node:${id}`;
  if (specifier.startsWith('node:')) {
    throw withCode(Error, 'ERR_UNKNOWN_BUILTIN_MODULE', `No such built-in module: ${specifier}`);
  }
  if (evaluated.has(specifier) || specifier.startsWith(FACADE)) return specifier;
  if (/^data:/.test(specifier)) return specifier;
  const from = parentFile(parent);
  let query = '';
  let file;
  if (specifier.startsWith('file://')) {
    query = /[?#].*$/.exec(specifier)?.[0] ?? '';
    file = toPath(specifier);
  } else if (specifier.startsWith('/') || /^\.\.?(\/|$)/.test(specifier)) {
    query = /[?#].*$/.exec(specifier)?.[0] ?? '';
    file = path.resolve(path.dirname(from),
      decodeURIComponent(query === '' ? specifier : specifier.slice(0, -query.length)));
  } else if (specifier.startsWith('#')) {
    file = resolver.resolveImports(specifier, from, conditions());
  } else {
    if (/^[a-z][a-z0-9+.-]+:/i.test(specifier)) {
      throw withCode(Error, 'ERR_UNSUPPORTED_ESM_URL_SCHEME',
        'Only URLs with a scheme in: file, data, and node are supported by the default ESM ' +
        `loader. Received protocol '${/^[^:]+:/.exec(specifier)[0]}'`);
    }
    file = resolver.resolvePackage(specifier, from, conditions());
    if (file === undefined) throw notFound(`Cannot find package '${specifier}'`, from);
  }
  if (file.startsWith('node:')) return file;
  const kind = fs.kind(file);
  if (kind === 2) {
    throw withCode(Error, 'ERR_UNSUPPORTED_DIR_IMPORT',
      `Directory import '${file}' is not supported resolving ES modules imported from ${from}`);
  }
  if (kind === 0) throw notFound(`Cannot find module '${file}'`, from, toUrl(file));
  return toUrl(fs.realpath(file)) + query;
}

function formatOf(file, source) {
  if (file.endsWith('.mjs')) return 'module';
  if (file.endsWith('.cjs')) return 'commonjs';
  if (file.endsWith('.json')) return 'json';
  const own = resolver.packageOf(file);
  if (own && own.data.type === 'module') return 'module';
  if (own && own.data.type === 'commonjs') return 'commonjs';
  return looksLikeModule(source()) ? 'module' : 'commonjs';
}

// Lines that only ES modules have, unless they are inside of a text.
const HINT = new RegExp(['^[ \\t]*(?:import\\b(?![ \\t]*\\()|export\\b)', '\\bimport\\.meta\\b',
  '^(?:\\w.*[=(]\\s*)?await\\b'].join('|'), 'm');

// A file that says nothing of its kind is an ES module if only that makes it valid.
function looksLikeModule(source) {
  if (!/\b(import|export|await)\b/.test(source)) return false;
  if (!HINT.test(source)) return false;
  try {
    native.compileFunction(source, 'hint');
    return false;
  } catch {
    return native.looksLikeModule(source);
  }
}

function exportNames(exports) {
  const names = new Set(['default']);
  for (const name of Object.keys(exports)) names.add(name);
  return [...names];
}

// The names that a CommonJS file seems to export, without running it.
function guessNames(source) {
  const names = new Set(['default']);
  const add = (name) => { if (name !== '__esModule') names.add(name); };
  for (const match of source.matchAll(/\bexports\.([A-Za-z_$][\w$]*)\s*=(?!=)/g)) add(match[1]);
  for (const match of source.matchAll(/\bexports\[(['"])([^'"]+)\1\]\s*=(?!=)/g)) add(match[2]);
  for (const match of source.matchAll(
    /\bObject\.defineProperty\(\s*(?:module\.)?exports,\s*(['"])([^'"]+)\1/g)) add(match[2]);
  const literal = /\bmodule\.exports\s*=\s*\{([^}]*)\}/.exec(source);
  if (literal) {
    for (const part of literal[1].split(',')) {
      const match = /^\s*(?:async\s+)?(?:([A-Za-z_$][\w$]*)|(['"])([^'"]+)\2)\s*(?:[:(]|$)/.exec(
        part
      );
      if (match === null) break;
      add(match[1] ?? match[3]);
    }
  }
  const reexport = /\bmodule\.exports\s*=\s*require\(\s*(['"])([^'"]+)\1\s*\)/.exec(source);
  return { names: [...names], reexport: reexport ? reexport[2] : undefined };
}

function commonNames(file, seen = new Set()) {
  seen.add(file);
  const { names, reexport } = guessNames(fs.readFileSync(file, true, 0));
  if (reexport === undefined) return names;
  try {
    const Module = builtins.require('module');
    const found = Module._resolveFilename(reexport, { filename: file, id: file });
    const id = resolver.builtinId(found);
    if (id !== undefined) return exportNames(builtins.require(id));
    if (!seen.has(found) && !found.endsWith('.json')) {
      return [...new Set([...names, ...commonNames(found, seen)])];
    }
  } catch {
    // The require itself will tell what is wrong.
  }
  return names;
}

const evaluated = new Map(); // sources without a file

// Called again with the error if the source that it gave does not compile.
function load(address, attributes, error) {
  if (error !== undefined) return require('internal/syntax').tidied(error);
  if (address.startsWith('node:')) {
    return exportNames(builtins.require(address.slice(5)));
  }
  if (address.startsWith(FACADE)) {
    const of = JSON.stringify(address.slice(FACADE.length));
    return `export * from ${of}; export { default } from ${of}; export const __esModule = true;`;
  }
  if (address.startsWith('data:')) {
    const match = /^data:([^,;]*)(;base64)?,(.*)$/s.exec(address);
    const text = match[2]
      ? Buffer.from(match[3], 'base64').toString()
      : decodeURIComponent(match[3]);
    if (match[1] === 'application/json') return ['default'];
    return text;
  }
  const file = toPath(address);
  let text;
  const source = () => text ??= fs.readFileSync(file, true, 0);
  const format = formatOf(file, source);
  if (format === 'module') return source().replace(/^#!.*/, '');
  if (format === 'json') return ['default'];
  const cached = builtins.require('module')._cache[file];
  const names = commonNames(file);
  if (cached && cached.loaded && cached.exports && typeof cached.exports === 'object') {
    return [...new Set([...names, ...exportNames(cached.exports)])];
  }
  planned.set(address, names);
  return names;
}

const planned = new Map();

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

function evaluate(address) {
  if (address.startsWith('node:')) {
    const exports = builtins.require(address.slice(5));
    return pick(exports, exportNames(exports));
  }
  if (address.startsWith('data:')) {
    return [['default'], [JSON.parse(decodeURIComponent(address.slice(address.indexOf(',') + 1)))]];
  }
  const file = toPath(address);
  const Module = builtins.require('module');
  const exports = Module._load(file, null, false);
  if (file.endsWith('.json')) return [['default'], [exports]];
  let names = planned.get(address);
  if (names === undefined) {
    names = commonNames(file);
    if (exports && typeof exports === 'object')
      names = [...new Set([...names, ...exportNames(exports)])];
  }
  return pick(exports, names);
}


function importMeta(meta, address) {
  meta.url = address;
  if (address.startsWith('file://')) {
    const file = toPath(address);
    meta.dirname = path.dirname(file);
    meta.filename = file;
  }
  // The address of a file that may not be there.
  meta.resolve = (specifier) => {
    try {
      return resolve(`${specifier}`, address);
    } catch (error) {
      if (error.url === undefined) throw error;
      return error.url;
    }
  };
}

const hooks = { resolve, load, evaluate, importMeta };
for (const name of Object.keys(hooks)) builtins.setHook(name, hooks[name]);

function runMain(file) {
  const mainAddress = toUrl(file);
  return native.importModule(mainAddress, mainAddress);
}

function requiredInCycle(file, from) {
  return withCode(Error, 'ERR_REQUIRE_CYCLE_MODULE',
    `Cannot require() ES Module ${file} in a cycle.${from ? ` (from ${from})` : ''}`);
}

// What require() of an ES module gives. From: the file that requires.
function requireModule(file, from) {
  const address = toUrl(file);
  const found = native.requireModule(address);
  if (found === 1) {
    throw withCode(Error, 'ERR_REQUIRE_ASYNC_MODULE',
      'require() cannot be used on an ESM graph with top-level await. Use import() instead. To ' +
      'see where the top-level await comes from, use --experimental-print-required-tla.' +
      `${from ? `\n  From ${from} ` : ''}\n  Requiring ${file} `);
  }
  if (found === 2) throw requiredInCycle(file, from);
  if (found === 3) { // an engine without our changes
    throw withCode(Error, 'ERR_REQUIRE_ESM',
      `require() of ES Module ${file} is not supported. Use import() instead.`);
  }
  if (Object.hasOwn(found, 'module.exports')) return found['module.exports'];
  if (!Object.hasOwn(found, 'default') || Object.hasOwn(found, '__esModule')) return found;
  return native.requireModule(FACADE + address);
}

function runSource(source, name) {
  const address = toUrl(path.join(process.cwd(), name));
  evaluated.set(address, source);
  require('internal/sources').keep(address, source);
  return require('internal/syntax').checked(() => native.evalModule(source, address));
}

module.exports = {
  hooks, runMain, runSource, requireModule, requiredInCycle, formatOf, looksLikeModule,
  toUrl, toPath,
};
