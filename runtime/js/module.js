'use strict';
// CommonJS.

const fs = binding('fs');
const path = require('path');
const resolver = require('internal/modules/resolve');
const builtins = require('internal/builtins');
const { compileFunction } = require('internal/errors/syntax');
const { invalidArgValue, withCode } = require('internal/errors/errors');
const { validateString } = require('internal/errors/validators');
const { mapping } = require('internal/errors/stacks');

const conditions = () => known ??= ['node', 'require', ...resolver.moreConditions()];
let known; // options are read after this module is loaded

const parents = new WeakMap();

function Module(id = '', parent) {
  this.id = id;
  this.path = path.dirname(id);
  // Whatever programs have put on Object.prototype.
  Object.defineProperty(this, 'exports',
    { value: {}, writable: true, enumerable: true, configurable: true });
  parents.set(this, parent);
  this.filename = null;
  this.loaded = false;
  this.children = [];
  if (parent && parent.children) parent.children.push(this);
}

function hasOption(name) {
  return process.execArgv.length > 0 || process.env.NODE_OPTIONS
    ? require('internal/boot/options').isOn(name) : undefined;
}

const PARENT_WARNING = ['module.parent is deprecated due to accuracy issues. Please use ' +
  'require.main to find program entry point instead.', 'DeprecationWarning', 'DEP0144'];
let isParentTold = false;

function tellOfParent() {
  if (isParentTold || !hasOption('pending-deprecation')) return;
  isParentTold = true;
  process.emitWarning(...PARENT_WARNING);
}

Object.defineProperty(Module.prototype, 'parent', {
  configurable: true,
  get() {
    tellOfParent();
    return parents.get(this);
  },
  set(value) {
    tellOfParent();
    parents.set(this, value);
  },
});
Object.defineProperty(Module.prototype, 'constructor', {
  configurable: true, get() { return Module; },
});

Module._cache = { __proto__: null };
Module._pathCache = { __proto__: null };
Module._extensions = { __proto__: null };
Module._preloadModules = (names) => require('internal/boot/first').preload(names);
Module.Module = Module;
Module.builtinModules = builtins.ids.filter((id) => !resolver.PREFIXED.includes(id));
Module.isBuiltin = (name) => resolver.builtinId(`${name}`) !== undefined;
Module._nodeModulePaths = (folder) => resolver.modulePaths(path.resolve(folder));
Module._stat = (file) => {
  const kind = fs.kind(`${file}`);
  return kind === 0 ? -2 : kind - 1;
};
Module._readPackage = (folder) => {
  binding('permission').demandPath(`${folder}/package.json`, 1);
  return resolver.readPackage(folder) ?? undefined;
};
Module._debug = (...args) => require('util').debuglog('module')(...args);

// Folders that are searched last: those of NODE_PATH, and some of the user's and of the prefix.
Module._initPaths = () => {
  const { HOME, NODE_PATH } = binding('process').isSecure() ? {} : process.env;
  const found = NODE_PATH ? NODE_PATH.split(':').filter((folder) => folder !== '') : [];
  if (HOME) found.push(path.resolve(HOME, '.node_modules'), path.resolve(HOME, '.node_libraries'));
  found.push(path.resolve(process.execPath, '..', '..', 'lib', 'node'));
  lastFolders = hasOption('global-search-paths') === false ? [] : found;
  Module.globalPaths = lastFolders.slice();
};
let lastFolders;

// A field whose value is made when it is asked for.
function lazyField(name, make) {
  const define = (holder, value) => Object.defineProperty(holder, name,
    { value, writable: true, configurable: true, enumerable: true });
  Object.defineProperty(Module, name, {
    configurable: true,
    enumerable: true,
    get: () => define(Module, make())[name],
    set(value) { define(this, value); }, // on a class that extends this one, too
  });
}
lazyField('globalPaths', () => {
  Module._initPaths();
  return lastFolders.slice();
});

// A program may change what is put around its files.
let isWrapped = false;
let wrapper = ['(function (exports, require, module, __filename, __dirname) { ', '\n});'];
let wrap = (script) => Module.wrapper[0] + script + Module.wrapper[1];
Object.defineProperty(Module, 'wrap', {
  get: () => wrap,
  set(value) {
    isWrapped = true;
    wrap = value;
  },
});
Object.defineProperty(Module, 'wrapper', {
  get: () => new Proxy(wrapper, {
    set(target, key, value) {
      isWrapped = true;
      return Reflect.set(target, key, value);
    },
    defineProperty(target, key, value) {
      isWrapped = true;
      return Reflect.defineProperty(target, key, value);
    },
  }),
  set(value) {
    isWrapped = true;
    wrapper = value;
  },
});

function lazily(name, id) {
  Module[name] = (...args) => require(id)[name](...args);
  Object.defineProperty(Module[name], 'name', { value: name });
}
lazily('syncBuiltinESMExports', 'internal/esm/esm');
lazily('register', 'internal/esm/loader_hooks');
lazily('findSourceMap', 'internal/errors/source_map');
lazyField('SourceMap', () => require('internal/errors/source_map').SourceMap);

function notFound(request, parent) {
  const stack = [];
  for (let at = parent; at; at = parents.get(at)) stack.push(at.filename || at.id);
  const error = new Error(`Cannot find module '${request}'` +
    (stack.length > 0 ? `\nRequire stack:\n- ${stack.join('\n- ')}` : ''));
  Error.captureStackTrace(error, notFound);
  error.code = 'MODULE_NOT_FOUND';
  error.requireStack = stack;
  return error;
}

// A file that a package's maps name.
function checkMapped(file) {
  if (file.bare !== undefined) return file.bare;
  if (file.startsWith('node:') || fs.lookUp(file) === 1) return file;
  throw Object.assign(new Error(`Cannot find module '${file}'`), { code: 'MODULE_NOT_FOUND' });
}

function isRelative(request) {
  return request[0] === '.' && (request.length === 1 || request[1] === '/' ||
    (request[1] === '.' && (request.length === 2 || request[2] === '/')));
}

// The folders that a name is looked for in, null for what is built in.
Module._resolveLookupPaths = function resolveLookupPaths(request, parent) {
  if (resolver.builtinId(request) !== undefined) return null;
  if (!isRelative(request)) {
    lastFolders ?? Module._initPaths();
    const own = parent?.paths?.length > 0 ? [...parent.paths, ...lastFolders] : lastFolders;
    return own.length > 0 ? own : null;
  }
  return !parent || !parent.id || !parent.filename ? ['.'] : [path.dirname(parent.filename)];
};

Module._findPath = function findPath(request, folders, isMain) {
  const extensions = Object.keys(Module._extensions);
  if (path.isAbsolute(request)) return real(find(request, '/', extensions), isMain) ?? false;
  if (!folders) return false;
  for (let i = 0; i < folders.length; i++) {
    const found = isRelative(request) ? find(request, folders[i], extensions)
      : resolver.resolvePackage(request, '', conditions(), extensions, [folders[i]]);
    if (found !== undefined) return real(found, isMain);
  }
  return false;
};

// A path, by its own name or with an extension, or as a folder.
function find(request, folder, extensions) {
  const absolute = path.resolve(folder, request);
  const isFolder = request.endsWith('/') || /(^|\/)\.\.?$/.test(request);
  return resolver.tryPath(isFolder ? `${absolute}/` : absolute, extensions, request);
}

function real(file, isMain) {
  if (file === undefined || file.startsWith('node:')) return file;
  return resolver.keepsLinks(isMain) ? path.resolve(file) : fs.placeOf(file);
}

// In the folders of a call of require.resolve.
function findFrom(request, folders, parent, isMain) {
  if (!Array.isArray(folders)) throw invalidArgValue('options.paths', folders);
  if (isRelative(request)) return Module._findPath(request, folders, isMain);
  const all = new Set();
  for (const folder of folders) {
    for (const one of Module._nodeModulePaths(folder)) all.add(one);
  }
  lastFolders ?? Module._initPaths();
  for (const one of lastFolders) all.add(one);
  return Module._findPath(request, [...all], isMain);
}

function findPackage(request, parent, isMain) {
  // The prompt and --require have no file, but a package that they are in.
  const isHere = parent?.id === '<repl>' || parent?.id === 'internal/preload';
  const filename = isHere ? `${process.cwd()}/.` : parent?.filename;
  if (filename) {
    const mapped = request[0] === '#'
      ? resolver.resolveImports(request, filename, conditions())
      : resolver.resolveSelf(request, filename, conditions());
    if (mapped !== undefined) return real(checkMapped(mapped), isMain);
  }
  const extensions = Object.keys(Module._extensions);
  const folders = parent?.paths ?? Module._nodeModulePaths(parent?.path ?? process.cwd());
  let found = resolver.resolvePackage(request, '', conditions(), extensions, folders);
  if (found === undefined) {
    lastFolders ?? Module._initPaths();
    found = resolver.resolvePackage(request, '', conditions(), extensions, lastFolders);
  }
  return found === undefined ? false : real(checkMapped(found), isMain);
}

Module._resolveFilename = function resolveFilename(request, parent, isMain, options) {
  if (resolver.builtinId(request) !== undefined) return request;
  let found;
  if (request.includes('\0')) found = false;
  else if (options !== null && typeof options === 'object' && options.paths !== undefined) {
    found = findFrom(request, options.paths, parent, isMain);
  } else if (path.isAbsolute(request)) {
    found = real(find(request, '/', Object.keys(Module._extensions)), isMain);
  } else if (isRelative(request)) {
    const folder = parent?.filename ? path.dirname(parent.filename) : process.cwd();
    found = real(find(request, folder, Object.keys(Module._extensions)), isMain);
  } else {
    found = findPackage(request, parent, isMain);
  }
  if (found) return found;
  throw notFound(request, parent);
};

Module._load = function load(request, parent, isMain) {
  if (request.startsWith('node:')) {
    const id = resolver.builtinId(request);
    if (id !== undefined) return builtins.require(id);
    throw withCode(Error, 'ERR_UNKNOWN_BUILTIN_MODULE', `No such built-in module: ${request}`);
  }
  const filename = Module._resolveFilename(request, parent, isMain);
  const cached = Module._cache[filename];
  if (cached !== undefined) return fromCache(cached, parent, filename);
  const id = resolver.builtinId(filename);
  if (id !== undefined) return builtins.require(id);
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
      if (parent?.children) parent.children = parent.children.filter((child) => child !== module);
    } else if (isCircular) {
      require('internal/modules/cjs_cycles').release(module.exports);
    }
  }
  return module.exports;
};

let isCircular = false; // some module was required while it was being loaded

function fromCache(cached, parent, filename) {
  if (parent?.children && !parent.children.includes(cached)) parent.children.push(cached);
  if (requiring.has(cached)) {
    throw require('internal/esm/esm').requiredInCycle(filename, parents.get(cached)?.filename);
  }
  if (cached.loaded === false) {
    isCircular = true;
    require('internal/modules/cjs_cycles').guard(cached.exports);
  }
  return cached.exports;
}

// The longest extension that somebody loads.
function extensionOf(filename) {
  const name = path.basename(filename);
  for (let at = name.indexOf('.'); at !== -1; at = name.indexOf('.', at + 1)) {
    if (at === 0) continue;
    const extension = name.slice(at);
    if (Module._extensions[extension]) return extension;
  }
  return '.js';
}

Module.prototype.load = function load(filename) {
  this.filename ??= filename;
  this.paths ??= Module._nodeModulePaths(path.dirname(filename));
  const known = extensionOf(filename);
  if (filename.endsWith('.mjs') && known !== '.mjs') requireEsm(this, filename);
  else Module._extensions[known](this, filename);
  this.loaded = true;
};

const requiring = new Set(); // ES modules that are being evaluated

function requireEsm(module, filename) {
  const parent = parents.get(module);
  if (hasOption('experimental-require-module') === false) {
    throw require('internal/esm/words').requireOfEsm(filename, parent?.filename);
  }
  if (hasOption('trace-require-module'))
    require('internal/esm/words').tellOfRequire(filename, parent);
  requiring.add(module);
  try {
    module.exports = require('internal/esm/esm').requireModule(filename, parent?.filename);
  } finally {
    requiring.delete(module);
  }
}

Module.prototype.require = function require(id) {
  validateString(id, 'id');
  if (id === '') throw invalidArgValue('id', id, 'must be a non-empty string');
  return Module._load(id, this, false);
};

Module.prototype._compile = function _compile(content, filename) {
  let run;
  try {
    run = isWrapped ? binding('modules').runScript(Module.wrap(content), filename)
      : compileFunction(content, filename);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const words = require('internal/esm/words');
    // A file that says nothing of its kind and is no CommonJS may be an ES module.
    if (!words.isDetected(filename, content, error)) {
      throw require('internal/errors/syntax').tidied(error);
    }
    requireEsm(this, filename);
    return undefined;
  }
  if (mapping.frames !== undefined)
    require('internal/errors/source_map').note(filename, content);
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
  require.resolve.paths = function paths(request) {
    validateString(request, 'request');
    return Module._resolveLookupPaths(request, module);
  };
  Object.defineProperty(require, 'main',
    { value: process.mainModule, writable: true, enumerable: true, configurable: true });
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
  return process.dlopen(module, path.toNamespacedPath(filename));
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

Module.runMain = (main = process.argv[1]) => require('internal/boot/main').runFile(main);
Module._makeRequire = makeRequire;

module.exports = Module;
