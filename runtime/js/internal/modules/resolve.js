'use strict';
// Finds the file that a module name means: packages, folders, extensions. What "exports" and
// "imports" say is in internal/package_maps.

const fs = binding('fs');
const path = require('path');
const builtins = require('internal/builtins');

const packages = new Map();

// Importing: for the error, if an ES module asks.
function readPackage(folder, importing) {
  const known = packages.get(folder);
  if (known !== undefined) return known;
  const file = `${folder}/package.json`;
  let found = null;
  if (fs.lookUp(file) === 1) {
    try {
      const data = JSON.parse(fs.readPackage(file, true, 0));
      // What other code puts on Object.prototype is no field of a package.
      if (typeof data === 'object' && data !== null) found = Object.setPrototypeOf(data, null);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      throw invalidPackage(file, error, importing);
    }
  }
  packages.set(folder, found);
  return found;
}

function invalidPackage(file, error, importing) {
  if (importing !== undefined) {
    return require('internal/modules/package_maps').invalidConfig(file, importing, error.message);
  }
  error.message = `Error parsing ${file}: ${error.message}`;
  error.path = file;
  return error;
}

// The package that a file belongs to: {folder, data}
function packageOf(file) {
  let folder = path.dirname(file);
  for (;;) {
    if (folder.endsWith('/node_modules')) return undefined;
    const data = readPackage(folder === '/' ? '' : folder);
    if (data !== null) return { folder, data };
    if (folder === '/') return undefined;
    folder = path.dirname(folder);
  }
}

// Modules of our own are reached with their prefix only: phasor:sim, phasor:actors.
const OWN = ['phasor:sim', 'phasor:actors'];
// As is what came after programs had modules of these names.
const PREFIXED = ['test', 'test/reporters', 'sea', 'sqlite'];

function builtinId(name) {
  if (OWN.includes(name)) return name.replace(':', '/');
  const id = name.startsWith('node:') ? name.slice(5) : name;
  if (!builtins.ids.includes(id)) {
    return builtins.exposed?.(id) !== undefined ? id : undefined;
  }
  return id === name && PREFIXED.includes(id) ? undefined : id;
}

function tryExtensions(file, extensions) {
  for (let i = 0; i < extensions.length; i++) {
    if (fs.lookUp(file + extensions[i]) === 1) return file + extensions[i];
  }
  return undefined;
}

const EXTENSIONS = ['.js', '.json', '.node'];

function tryFolder(folder, extensions, request) {
  const data = readPackage(folder);
  const hasMain = data !== null && typeof data.main === 'string' && data.main !== '';
  if (hasMain) {
    const main = path.resolve(folder, data.main);
    const kind = fs.lookUp(main);
    const found = (kind === 1 ? main : undefined) || tryExtensions(main, extensions) ||
      (kind === 2 ? tryExtensions(`${main}/index`, extensions) : undefined);
    if (found) return found;
  }
  const found = tryExtensions(`${folder}/index`, extensions);
  if (hasMain) checkMain(folder, data.main, found, request);
  return found;
}

function checkMain(folder, main, found, request) {
  const file = `${folder}/package.json`;
  if (found === undefined) {
    const error = new Error(`Cannot find module '${path.resolve(folder, main)}'. Please verify ` +
      'that the package.json has a valid "main" entry');
    error.code = 'MODULE_NOT_FOUND';
    error.path = file;
    error.requestPath = request;
    throw error;
  }
  process.emitWarning(`Invalid 'main' field in '${file}' of '${main}'. Please either fix that or ` +
    'report it to the module author', 'DeprecationWarning', 'DEP0128');
}

function tryPath(file, extensions = EXTENSIONS, request = file) {
  const kind = file.endsWith('/') ? 0 : fs.lookUp(file);
  if (kind === 1) return file;
  const found = file.endsWith('/') ? undefined : tryExtensions(file, extensions);
  if (found) return found;
  return fs.lookUp(file) === 2 ? tryFolder(file.replace(/\/+$/, '') || '/', extensions, request)
    : undefined;
}

function split(name) {
  const match = /^(@[^/]+\/[^/]+|[^/]+)(\/.*)?$/s.exec(name);
  return match ? [match[1], `.${match[2] || ''}`] : [name, '.'];
}

function modulePaths(folder) {
  const found = [];
  for (let at = folder; ; at = path.dirname(at)) {
    if (!at.endsWith('/node_modules')) {
      found.push(at === '/' ? '/node_modules' : `${at}/node_modules`);
    }
    if (at === '/') return found;
  }
}

// For require: the file, or undefined.
function resolveImports(name, parentFile, conditions) {
  const own = packageOf(parentFile);
  if (own === undefined || own.data.imports === undefined || own.data.imports === null)
    return undefined;
  const found =
    require('internal/modules/package_maps').fromImports(name, own, conditions, parentFile);
  if (found.bare === undefined) return found;
  const id = builtinId(found.bare);
  return id !== undefined ? `node:${id}`
    : resolvePackage(found.bare, `${own.folder}/.`, conditions);
}

// The package that a file is in, by its own name.
function resolveSelf(name, parentFile, conditions) {
  const own = packageOf(parentFile);
  if (own === undefined || own.data.exports === undefined || own.data.exports === null)
    return undefined;
  const [packageName, subpath] = split(name);
  if (own.data.name !== packageName) return undefined;
  return require('internal/modules/package_maps').fromExports(own.data, own.folder, subpath,
    conditions,
    parentFile);
}

// In one folder of packages.
function tryPackage(folder, name, conditions, extensions) {
  const [packageName, subpath] = split(name);
  const candidate = `${folder}/${packageName}`;
  if (fs.lookUp(candidate) === 2) {
    const data = readPackage(candidate);
    if (data !== null && data.exports !== undefined && data.exports !== null) {
      return require('internal/modules/package_maps').fromExports(data, candidate, subpath,
        conditions);
    }
  }
  return tryPath(`${folder}/${name}`, extensions, name);
}

function resolvePackage(name, parentFile, conditions, extensions = EXTENSIONS,
                        folders = modulePaths(path.dirname(parentFile))) {
  for (let i = 0; i < folders.length; i++) {
    const found = tryPackage(folders[i], name, conditions, extensions);
    if (found) return found;
  }
  return undefined;
}

// Those of --conditions, and what goes with native addons unless they are turned off.
function moreConditions() {
  if (process.execArgv.length === 0 && !process.env.NODE_OPTIONS)
    return ['node-addons', 'module-sync'];
  const options = require('internal/boot/options');
  const hasAddons = options.isOn('addons') !== false &&
    (!options.isOn('experimental-permission') || options.isOn('allow-addons') === true);
  return [...hasAddons ? ['node-addons'] : [],
    ...options.isOn('experimental-require-module') === false ? [] : ['module-sync'],
    ...options.all('conditions')];
}

// --preserve-symlinks, and --preserve-symlinks-main for the first file.
function keepsLinks(isMain = false) {
  const { env } = process;
  if (isMain ? env.NODE_PRESERVE_SYMLINKS_MAIN === '1' : env.NODE_PRESERVE_SYMLINKS === '1')
    return true;
  if (process.execArgv.length === 0 && !env.NODE_OPTIONS) return false;
  return require('internal/boot/options')
    .isOn(isMain ? 'preserve-symlinks-main' : 'preserve-symlinks') === true;
}

module.exports = {
  PREFIXED,
  moreConditions, readPackage, packageOf, builtinId, tryPath, resolvePackage, resolveImports,
  resolveSelf, modulePaths, split, keepsLinks,
};
