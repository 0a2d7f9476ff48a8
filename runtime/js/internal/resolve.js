'use strict';
// Finds the file that a module name means: relative paths, packages, "exports" and "imports".

const fs = binding('fs');
const path = require('path');
const { withCode } = require('internal/errors');
const builtins = require('internal/builtins');

const packages = new Map();

function readPackage(folder) {
  if (packages.has(folder)) return packages.get(folder);
  const file = `${folder}/package.json`;
  let found = null;
  if (fs.kind(file) === 1) {
    try {
      found = JSON.parse(fs.readFileSync(file, true, 0));
    } catch (error) {
      throw withCode(Error, 'ERR_INVALID_PACKAGE_CONFIG',
        `Invalid package config ${file}.${error.message ? ` ${error.message}` : ''}`);
    }
  }
  packages.set(folder, found);
  return found;
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

// Modules of our own are reached with their prefix only: phasor:sim.
const OWN = ['phasor:sim'];

function builtinId(name) {
  if (OWN.includes(name)) return name.replace(':', '/');
  const id = name.startsWith('node:') ? name.slice(5) : name;
  if (!builtins.ids.includes(id) && builtins.exposed?.(id) === undefined) return undefined;
  // The test runner is reached with its prefix only.
  return id === 'test' && id === name ? undefined : id;
}

function tryExtensions(file, extensions) {
  for (const extension of extensions) if (fs.kind(file + extension) === 1) return file + extension;
  return undefined;
}

const EXTENSIONS = ['.js', '.json', '.node'];

function tryFolder(folder, extensions) {
  const data = readPackage(folder);
  if (data && typeof data.main === 'string') {
    const main = path.resolve(folder, data.main);
    const kind = fs.kind(main);
    const found = (kind === 1 ? main : undefined) || tryExtensions(main, extensions) ||
      (kind === 2 ? tryExtensions(`${main}/index`, extensions) : undefined);
    if (found) return found;
  }
  return tryExtensions(`${folder}/index`, extensions);
}

function tryPath(file, extensions = EXTENSIONS) {
  const kind = file.endsWith('/') ? 0 : fs.kind(file);
  if (kind === 1) return file;
  const found = file.endsWith('/') ? undefined : tryExtensions(file, extensions);
  if (found) return found;
  return fs.kind(file) === 2 ? tryFolder(file.replace(/\/+$/, ''), extensions) : undefined;
}

function target(value, folder, match, conditions, name) {
  if (typeof value === 'string') {
    if (!value.startsWith('./')) {
      if (name.startsWith('#')) return { bare: value.replaceAll('*', match) };
      throw withCode(Error, 'ERR_INVALID_PACKAGE_TARGET',
        `Invalid "exports" target ${JSON.stringify(value)} defined in the package config ` +
        `${folder}/package.json`);
    }
    return path.join(folder, value.replaceAll('*', match));
  }
  if (Array.isArray(value)) {
    for (const one of value) {
      const found = target(one, folder, match, conditions, name);
      if (found) return found;
    }
    return undefined;
  }
  if (value !== null && typeof value === 'object') {
    for (const key of Object.keys(value)) {
      if (key !== 'default' && !conditions.includes(key)) continue;
      const found = target(value[key], folder, match, conditions, name);
      if (found !== undefined) return found;
    }
  }
  return value === null ? null : undefined;
}

// A key of the map, exact or with one "*"; the longest pattern wins.
function lookUp(map, key, folder, conditions) {
  if (Object.hasOwn(map, key) && !key.includes('*')) {
    return target(map[key], folder, '', conditions, key);
  }
  let best;
  for (const pattern of Object.keys(map)) {
    const star = pattern.indexOf('*');
    if (star === -1) continue;
    const before = pattern.slice(0, star);
    const after = pattern.slice(star + 1);
    if (key.startsWith(before) && key.endsWith(after) && key.length >= pattern.length &&
        (best === undefined || before.length > best.before.length)) {
      best = { before, after, pattern };
    }
  }
  if (best === undefined) return undefined;
  const match = key.slice(best.before.length, key.length - best.after.length);
  return target(map[best.pattern], folder, match, conditions, key);
}

function fromExports(data, folder, subpath, conditions) {
  let map = data.exports;
  const sugar = typeof map === 'string' || Array.isArray(map) ||
    Object.keys(map).every((key) => !key.startsWith('.'));
  if (sugar) map = { '.': map };
  const found = lookUp(map, subpath, folder, conditions);
  if (found) return found;
  throw withCode(Error, 'ERR_PACKAGE_PATH_NOT_EXPORTED', subpath === '.'
    ? `No "exports" main defined in ${folder}/package.json`
    : `Package subpath '${subpath}' is not defined by "exports" in ${folder}/package.json`);
}

function split(name) {
  const match = /^(@[^/]+\/[^/]+|[^/]+)(\/.*)?$/.exec(name);
  return match ? [match[1], `.${match[2] || ''}`] : [name, '.'];
}

function* modulePaths(folder) {
  for (;;) {
    if (!folder.endsWith('/node_modules')) {
      yield folder === '/' ? '/node_modules' : `${folder}/node_modules`;
    }
    if (folder === '/') return;
    folder = path.dirname(folder);
  }
}

function resolveImports(name, parentFile, conditions) {
  const own = packageOf(parentFile);
  if (own && own.data.imports) {
    const found = lookUp(own.data.imports, name, own.folder, conditions);
    if (found && found.bare) {
      return builtinId(found.bare) ? `node:${builtinId(found.bare)}`
        : resolvePackage(found.bare, parentFile, conditions);
    }
    if (found) return found;
  }
  throw withCode(
    TypeError,
    'ERR_PACKAGE_IMPORT_NOT_DEFINED',
    `Package import specifier "${name}" is not defined` +
      `${own ? ` in package ${own.folder}/package.json` : ''} imported from ${parentFile}`
  );
}

function resolvePackage(name, parentFile, conditions, extensions = EXTENSIONS) {
  const [packageName, subpath] = split(name);
  const own = packageOf(parentFile);
  if (own && own.data.name === packageName && own.data.exports !== undefined) {
    return fromExports(own.data, own.folder, subpath, conditions);
  }
  for (const folder of modulePaths(path.dirname(parentFile))) {
    const candidate = `${folder}/${packageName}`;
    if (fs.kind(candidate) === 2) {
      const data = readPackage(candidate);
      if (data && data.exports !== undefined && data.exports !== null) {
        return fromExports(data, candidate, subpath, conditions);
      }
      const found = tryPath(path.join(candidate, subpath), extensions);
      if (found) return found;
    }
    const file = tryPath(`${folder}/${name}`, extensions);
    if (file) return file;
  }
  return undefined;
}

// Those of --conditions, and what goes with native addons unless they are turned off.
function moreConditions() {
  if (process.execArgv.length === 0 && !process.env.NODE_OPTIONS) return ['node-addons'];
  const options = require('internal/options');
  return [...options.isOn('addons') === false ? [] : ['node-addons'],
    ...options.all('conditions')];
}

module.exports = {
  moreConditions,
  readPackage, packageOf, builtinId, tryPath, resolvePackage, resolveImports, modulePaths,
};
