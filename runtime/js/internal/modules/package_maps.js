'use strict';
// "exports" and "imports" of packages: which file a name stands for. Used by require and import.

const path = require('path');
const { withCode } = require('internal/errors/errors');

// Parts of a path that a target or a match must not have, also in percent encoding.
const PART = '(?:(?:\\.|%2e)(?:\\.|%2e)?|(?:n|%6e|%4e)(?:o|%6f|%4f)(?:d|%64|%44)(?:e|%65|%45)' +
  '(?:_|%5f)(?:m|%6d|%4d)(?:o|%6f|%4f)(?:d|%64|%44)(?:u|%75|%55)(?:l|%6c|%4c)(?:e|%65|%45)' +
  '(?:s|%73|%53))';
const FORBIDDEN = new RegExp(`(?:^|[\\\\/])${PART}(?:[\\\\/]|$)`, 'i');
const EMPTY = /(?:^|[\\/])(?:[\\/]|$)/;
const SEPARATOR = /%2f|%5c/i;

const asUrl = (base) => base && require('internal/esm/resolve').toUrl(base);
const from = (base) => base ? ` imported from ${base}` : '';

function invalidConfig(file, base, text) {
  return withCode(Error, 'ERR_INVALID_PACKAGE_CONFIG', `Invalid package config ${file}` +
    `${base ? ` while importing ${base}` : ''}${text ? `. ${text}` : ''}`);
}

function invalidTarget(at, target) {
  const isWord = typeof target === 'string' && !at.isImport && target.length > 0 &&
    !target.startsWith('./');
  const what = at.key === '.' ? '"exports" main target'
    : `"${at.isImport ? 'imports' : 'exports'}" target`;
  const shown = typeof target === 'object' && target !== null ? JSON.stringify(target, null, '')
    : `${target}`;
  return withCode(Error, 'ERR_INVALID_PACKAGE_TARGET', `Invalid ${what} ${JSON.stringify(shown)} ` +
    `defined ${at.key === '.' ? '' : `for '${at.key}' `}in the package config ${at.folder}/` +
    `package.json${from(at.base)}${isWord ? '; targets must start with "./"' : ''}`);
}

function invalidSpecifier(request, reason, base) {
  return withCode(TypeError, 'ERR_INVALID_MODULE_SPECIFIER',
    `Invalid module "${request}" ${reason}${from(base)}`);
}

function invalidMatch(at, request) {
  return invalidSpecifier(request, `request is not a valid match in pattern "${at.key}" for the ` +
    `"${at.isImport ? 'imports' : 'exports'}" resolution of ${at.folder}/package.json`, at.base);
}

const told = new Set();
let lastTold; // a request of "imports" that fails is resolved again for the words of its error

function warnOfSlashes(at, target, request, isTarget) {
  if (process.noDeprecation) return;
  const isDouble = /[/\\]{2}/.test(isTarget ? target : request);
  const kind = isDouble ? 'double slash' : 'leading or trailing slash matching';
  const text = `Use of deprecated ${kind} ` +
      `resolving "${target}" for module request "${request}" ` +
      `${request === at.key ? '' : `matched to "${at.key}" `}in the ` +
      `"${at.isImport ? 'imports' : 'exports'}" field module resolution of the package at ` +
      `${at.folder}/package.json${from(at.base)}.`;
  if (!at.isImport || text !== lastTold) process.emitWarning(text, 'DeprecationWarning', 'DEP0166');
  lastTold = text;
  process.nextTick(() => { lastTold = undefined; });
}

// The file behind a path in the form of an address, below the package.
function toFile(at, target) {
  if (!/[%?#]/.test(target)) return path.join(at.folder, target);
  const plain = target.replace(/[?#].*$/s, '');
  if (at.told) at.told.query = target.slice(plain.length);
  if (SEPARATOR.test(plain)) {
    throw invalidSpecifier(path.join(at.folder, plain),
      'must not include encoded "/" or "\\" characters', at.base);
  }
  return path.join(at.folder, decodeURIComponent(plain));
}

function wordTarget(at, target, match) {
  const isPattern = match !== undefined;
  if (isPattern && !target.includes('*') && at.key.endsWith('/') && !target.endsWith('/'))
    throw invalidTarget(at, target);
  if (!target.startsWith('./')) {
    const isBare = at.isImport && !target.startsWith('../') && !target.startsWith('/') &&
      !/^[a-z][a-z0-9+.-]*:/i.test(target);
    if (at.isImport && /^node:/.test(target)) return { bare: target };
    if (!isBare) throw invalidTarget(at, target);
    return { bare: isPattern ? target.replaceAll('*', () => match) : target };
  }
  const rest = target.slice(2);
  const request = () => isPattern ? at.key.replace('*', () => match) : at.key;
  if (FORBIDDEN.test(rest)) throw invalidTarget(at, target);
  if (EMPTY.test(rest) && !(rest.endsWith('/') && !EMPTY.test(rest.slice(0, -1)))) {
    warnOfSlashes(at, isPattern ? target.replace('*', () => match) : target, request(), true);
  }
  if (!isPattern) return toFile(at, target);
  if (FORBIDDEN.test(match)) throw invalidMatch(at, request());
  if (match !== '/' && EMPTY.test(match)) {
    warnOfSlashes(at, target.replace('*', () => match), request(), false);
  }
  return toFile(at, target.replaceAll('*', () => match));
}

function listTarget(at, list, match) {
  if (list.length === 0) return null;
  let last;
  for (const one of list) {
    let found;
    try {
      found = resolveTarget(at, one, match);
    } catch (error) {
      last = error;
      if (error.code !== 'ERR_INVALID_PACKAGE_TARGET') throw error;
      continue;
    }
    if (found === undefined) continue;
    if (found === null) {
      last = null;
      continue;
    }
    return found;
  }
  if (last === undefined || last === null) return last;
  throw last;
}

// A path, {bare}, null (explicitly nothing) or undefined (no condition fits).
function resolveTarget(at, target, match) {
  if (typeof target === 'string') return wordTarget(at, target, match);
  if (Array.isArray(target)) return listTarget(at, target, match);
  if (target === null) return null;
  if (typeof target !== 'object') throw invalidTarget(at, target);
  const keys = Object.getOwnPropertyNames(target);
  if (keys.some((key) => `${+key}` === key && +key >= 0 && +key < 0xFFFF_FFFF)) {
    throw invalidConfig(`${at.folder}/package.json`, asUrl(at.base),
      '"exports" cannot contain numeric property keys.');
  }
  for (const key of keys) {
    if (key !== 'default' && !at.conditions.includes(key)) continue;
    const found = resolveTarget(at, target[key], match);
    if (found !== undefined) return found;
  }
  return undefined;
}

// The pattern that is more specific comes first.
function isBetter(pattern, best) {
  if (best === undefined) return true;
  const star = pattern.indexOf('*');
  const other = best.indexOf('*');
  return star > other || (star === other && pattern.length > best.length);
}

// A key of the map, exact or with one "*".
function lookUp(map, name, at) {
  if (Object.hasOwn(map, name) && !name.includes('*') && !name.endsWith('/')) {
    return resolveTarget({ ...at, key: name }, map[name]);
  }
  let best;
  let match;
  for (const key of Object.getOwnPropertyNames(map)) {
    const star = key.indexOf('*');
    if (star === -1 || !name.startsWith(key.slice(0, star))) continue;
    if (!at.isImport && name.endsWith('/') && isPending()) warnOfTrailingSlash(name, at);
    const after = key.slice(star + 1);
    if (name.length < key.length || !name.endsWith(after)) continue;
    if (key.lastIndexOf('*') !== star || !isBetter(key, best)) continue;
    best = key;
    match = name.slice(star, name.length - after.length);
  }
  if (best === undefined) return undefined;
  return resolveTarget({ ...at, key: best }, map[best], match);
}

function isPending() {
  return require('internal/boot/options').isOn('pending-deprecation') === true;
}

function warnOfTrailingSlash(name, at) {
  const key = `${at.folder}|${name}`;
  if (told.has(key)) return;
  told.add(key);
  process.emitWarning(
    `Use of deprecated trailing slash pattern mapping "${name}" in the "exports" field module ` +
      `resolution of the package at ${at.folder}/package.json${from(at.base)}. Mapping ` +
      'specifiers ending in "/" is no longer supported.', 'DeprecationWarning', 'DEP0155');
}

function isMainOnly(map, folder, base) {
  if (typeof map === 'string' || Array.isArray(map)) return true;
  if (typeof map !== 'object' || map === null) return false;
  const keys = Object.getOwnPropertyNames(map);
  const isMain = keys.map((key) => key === '' || key[0] !== '.');
  if (isMain.some((one) => one !== isMain[0])) {
    throw invalidConfig(`${folder}/package.json`, asUrl(base),
      '"exports" cannot contain some keys starting with \'.\' and some not. The exports object ' +
      'must either be an object of package subpath keys or an object of main entry condition ' +
      'name keys only.');
  }
  return isMain[0] === true;
}

// Base: who imports, for the error.
// The query of the address is put into `told`.
function fromExports(data, folder, subpath, conditions, base, told = undefined) {
  let map = data.exports;
  if (isMainOnly(map, folder, base)) map = { '.': map };
  const at = { folder, conditions, base, told, isImport: false };
  const found = typeof map === 'object' ? lookUp(map, subpath, at) : undefined;
  if (found !== null && found !== undefined) return found;
  throw withCode(Error, 'ERR_PACKAGE_PATH_NOT_EXPORTED', subpath === '.'
    ? `No "exports" main defined in ${folder}/package.json${from(base)}`
    : `Package subpath '${subpath}' is not defined by "exports" in ${folder}/package.json` +
      `${from(base)}`);
}

// A path or {bare}. Own: the package of the file that imports.
function fromImports(name, own, conditions, base) {
  if (name === '#' || name.startsWith('#/') || name.endsWith('/')) {
    throw invalidSpecifier(name, 'is not a valid internal imports specifier name', base);
  }
  const map = own?.data.imports;
  if (map !== null && typeof map === 'object') {
    const at = { folder: own.folder, conditions, base, isImport: true };
    const found = lookUp(map, name, at);
    if (found !== null && found !== undefined) return found;
  }
  throw withCode(TypeError, 'ERR_PACKAGE_IMPORT_NOT_DEFINED',
    `Package import specifier "${name}" is not defined` +
      `${own ? ` in package ${own.folder}/package.json` : ''}${from(base)}`);
}

module.exports = { fromExports, fromImports, invalidSpecifier, invalidConfig, SEPARATOR };
