'use strict';
// CommonJS.

const fs = binding('fs');
const path = require('path');
const resolver = require('internal/resolve');
const builtins = require('internal/builtins');
const { compileFunction } = require('internal/syntax');
const { invalidArgValue, validateString, withCode } = require('internal/errors');

const CONDITIONS = ['node', 'require', 'module-sync', ...resolver.moreConditions()];

function Module(id = '', parent) {
  this.id = id;
  this.path = path.dirname(id);
  this.exports = {};
  this.filename = null;
  this.loaded = false;
  this.children = [];
  Object.defineProperty(this, 'parent',
    { value: parent, writable: true, configurable: true, enumerable: false });
  if (parent && parent.children) parent.children.push(this);
}

Module._cache = { __proto__: null };
Module._pathCache = { __proto__: null };
Module._extensions = { __proto__: null };
Module.globalPaths = [];
Module.Module = Module;
Module.builtinModules = builtins.ids.filter((id) => id !== 'test');
Module.isBuiltin = (name) => resolver.builtinId(`${name}`) !== undefined;
Module._nodeModulePaths = (folder) => [...resolver.modulePaths(path.resolve(folder))];
Module._initPaths = () => {};
Module.wrap = (script) => Module.wrapper[0] + script + Module.wrapper[1];
Module.wrapper = ['(function (exports, require, module, __filename, __dirname) { ', '\n});'];
Module.syncBuiltinESMExports = () => {};
Module.findSourceMap = () => undefined;

function notFound(request, parent) {
  const stack = [];
  for (let at = parent; at; at = at.parent) stack.push(at.filename || at.id);
  const error = new Error(`Cannot find module '${request}'` +
    (stack.length > 0 ? `\nRequire stack:\n- ${stack.join('\n- ')}` : ''));
  error.code = 'MODULE_NOT_FOUND';
  error.requireStack = stack;
  return error;
}

Module._resolveFilename = function resolveFilename(request, parent, isMain, options) {
  const id = resolver.builtinId(request);
  if (id !== undefined) return /^(node|phasor):/.test(request) ? request : id;
  if (request.startsWith('node:')) {
    throw withCode(Error, 'ERR_UNKNOWN_BUILTIN_MODULE', `No such built-in module: ${request}`);
  }
  const folders = options && Array.isArray(options.paths) ? options.paths
    : [parent && parent.filename ? path.dirname(parent.filename) : process.cwd()];
  const extensions = Object.keys(Module._extensions);
  for (const folder of folders) {
    const from = parent && parent.filename && folders.length === 1 && !options
      ? parent.filename : `${folder}/.`;
    let found;
    if (request.startsWith('/') || /^\.\.?(\/|$)/.test(request)) {
      const absolute = path.resolve(folder, request);
      found = resolver.tryPath(request.endsWith('/') || /(^|\/)\.\.?$/.test(request)
        ? `${absolute}/` : absolute, extensions);
    } else if (request.startsWith('#')) {
      found = resolver.resolveImports(request, from, CONDITIONS);
    } else {
      found = resolver.resolvePackage(request, from, CONDITIONS, extensions);
      if (found !== undefined && fs.kind(found) !== 1 && !found.startsWith('node:')) {
        throw notFound(found, parent);
      }
    }
    if (found !== undefined) return found.startsWith('node:') ? found : fs.realpath(found);
  }
  throw notFound(request, parent);
};

Module._load = function load(request, parent, isMain) {
  const filename = Module._resolveFilename(request, parent, isMain);
  const id = resolver.builtinId(filename);
  if (id !== undefined) return builtins.require(id);
  const cached = Module._cache[filename];
  if (cached !== undefined) {
    if (parent && !parent.children.includes(cached)) parent.children.push(cached);
    if (requiring.has(cached))
      throw require('internal/esm').requiredInCycle(filename, cached.parent?.filename);
    return cached.exports;
  }
  const module = new Module(filename, parent);
  if (isMain) {
    process.mainModule = module;
    module.id = '.';
  }
  Module._cache[filename] = module;
  let threw = true;
  try {
    module.load(filename);
    threw = false;
  } finally {
    if (threw) {
      delete Module._cache[filename];
      if (parent) parent.children = parent.children.filter((child) => child !== module);
    }
  }
  return module.exports;
};

Module.prototype.load = function load(filename) {
  this.filename = filename;
  this.paths = Module._nodeModulePaths(path.dirname(filename));
  const extension = path.extname(filename);
  const known = Module._extensions[extension] ? extension : '.js';
  if (filename.endsWith('.mjs') && known === '.js') requireEsm(this, filename);
  else Module._extensions[known](this, filename);
  this.loaded = true;
};

const requiring = new Set(); // ES modules that are being evaluated

function requireEsm(module, filename) {
  requiring.add(module);
  try {
    module.exports = require('internal/esm').requireModule(filename, module.parent?.filename);
  } finally {
    requiring.delete(module);
  }
}

Module.prototype.require = function require(id) {
  validateString(id, 'id');
  if (id === '') throw invalidArgValue('id', id, 'must be a non-empty string');
  return Module._load(id, this, false);
};

Module.prototype._compile = function compile(content, filename) {
  let run;
  try {
    run = compileFunction(content, filename);
  } catch (error) {
    // A file that says nothing of its kind and is no CommonJS may be an ES module.
    const isOpen = error instanceof SyntaxError && filename.endsWith('.js');
    if (!isOpen || require('internal/esm').formatOf(filename, () => content) !== 'module')
      throw error;
    requireEsm(this, filename);
    return undefined;
  }
  const ownRequire = makeRequire(this);
  return Reflect.apply(run, this.exports,
    [this.exports, ownRequire, this, filename, path.dirname(filename)]);
};

function makeRequire(module) {
  function require(id) {
    return module.require(id);
  }
  require.resolve = function resolve(request, options) {
    validateString(request, 'request');
    return Module._resolveFilename(request, module, false, options);
  };
  require.resolve.paths = (request) => (resolver.builtinId(request) !== undefined ? null
    : Module._nodeModulePaths(module.path));
  require.main = process.mainModule;
  require.extensions = Module._extensions;
  require.cache = Module._cache;
  return require;
}

function stripBom(text) {
  return text.charCodeAt(0) === 0xFEFF ? text.slice(1) : text;
}

Module._extensions['.js'] = function loadScript(module, filename) {
  const content = stripBom(fs.readFileSync(filename, true, 0));
  const own = filename.endsWith('.js') ? resolver.packageOf(filename) : undefined;
  if (own && own.data.type === 'module') requireEsm(module, filename);
  else module._compile(content, filename);
};

Module._extensions['.json'] = function loadJson(module, filename) {
  const content = stripBom(fs.readFileSync(filename, true, 0));
  try {
    module.exports = JSON.parse(content);
  } catch (error) {
    error.message = `${filename}: ${error.message}`;
    throw error;
  }
};

Module._extensions['.node'] = function loadAddon(module, filename) {
  throw withCode(Error, 'ERR_DLOPEN_FAILED', `Native addons are not supported: ${filename}`);
};

Module.createRequire = function createRequire(file) {
  let filename = file;
  if (file instanceof URL || (typeof file === 'string' && file.startsWith('file://'))) {
    filename = require('url').fileURLToPath(file);
  } else if (typeof file !== 'string' || !path.isAbsolute(file)) {
    throw invalidArgValue('filename', file,
      'must be a file URL object, file URL string, or absolute path string');
  }
  const module = new Module(filename);
  module.filename = filename;
  module.paths = Module._nodeModulePaths(module.path);
  return makeRequire(module);
};

Module.runMain = (main) => Module._load(main, null, true);
Module._makeRequire = makeRequire;

module.exports = Module;
