'use strict';
const { validateString, validateObject } = require('internal/errors/validators');

// Resolves "." and ".." and double slashes, textually.
function simplify(path, allowAbove) {
  const out = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') out.push(part);
    else if (out.length > 0 && out[out.length - 1] !== '..') out.pop();
    else if (allowAbove) out.push('..');
  }
  return out.join('/');
}

function resolve(...parts) {
  let path = '';
  let absolute = false;
  for (let i = parts.length - 1; i >= -1 && !absolute; i--) {
    const part = i >= 0 ? parts[i] : process.cwd();
    validateString(part, `paths[${i}]`);
    if (part.length === 0) continue;
    path = `${part}/${path}`;
    absolute = part[0] === '/';
  }
  path = simplify(path, !absolute);
  if (absolute) return `/${path}`;
  return path.length > 0 ? path : '.';
}

function normalize(path) {
  validateString(path, 'path');
  if (path.length === 0) return '.';
  const absolute = path[0] === '/';
  const trailing = path[path.length - 1] === '/';
  let out = simplify(path, !absolute);
  if (out.length === 0) {
    if (absolute) return '/';
    return trailing ? './' : '.';
  }
  if (trailing) out += '/';
  return absolute ? `/${out}` : out;
}

function isAbsolute(path) {
  validateString(path, 'path');
  return path.length > 0 && path[0] === '/';
}

function join(...parts) {
  for (const part of parts) validateString(part, 'path');
  const joined = parts.filter((part) => part.length > 0).join('/');
  return joined === '' ? '.' : normalize(joined);
}

function relative(from, to) {
  validateString(from, 'from');
  validateString(to, 'to');
  if (from === to) return '';
  from = resolve(from);
  to = resolve(to);
  if (from === to) return '';
  const a = from.split('/').filter(Boolean);
  const b = to.split('/').filter(Boolean);
  let common = 0;
  while (common < a.length && common < b.length && a[common] === b[common]) common++;
  return [...a.slice(common).map(() => '..'), ...b.slice(common)].join('/');
}

function dirname(path) {
  validateString(path, 'path');
  if (path.length === 0) return '.';
  let end = path.length;
  while (end > 1 && path[end - 1] === '/') end--;
  const slash = path.lastIndexOf('/', end - 1);
  if (slash === -1) return '.';
  if (slash === 0) return '/';
  return slash === 1 && path[0] === '/' ? '//' : path.slice(0, slash);
}

function basename(path, suffix) {
  if (suffix !== undefined) validateString(suffix, 'suffix');
  validateString(path, 'path');
  let end = path.length;
  while (end > 0 && path[end - 1] === '/') end--;
  const base = path.slice(path.lastIndexOf('/', end - 1) + 1, end);
  if (suffix === path) return '';
  if (suffix !== undefined && suffix.length < base.length && base.endsWith(suffix)) {
    return base.slice(0, -suffix.length);
  }
  return base;
}

function extname(path) {
  validateString(path, 'path');
  const base = basename(path);
  const dot = base.lastIndexOf('.');
  if (dot <= 0 || (dot === base.length - 1 && base === '..')) return '';
  if (base === '..') return '';
  return base.slice(dot);
}

function format(parts) {
  validateObject(parts, 'pathObject');
  const dir = parts.dir || parts.root;
  const ext = parts.ext ? `${parts.ext[0] === '.' ? '' : '.'}${parts.ext}` : '';
  const base = parts.base || `${parts.name || ''}${ext}`;
  if (!dir) return base;
  return dir === parts.root ? `${dir}${base}` : `${dir}/${base}`;
}

function parse(path) {
  validateString(path, 'path');
  const out = { root: '', dir: '', base: '', ext: '', name: '' };
  if (path.length === 0) return out;
  if (path[0] === '/') out.root = '/';
  out.base = basename(path);
  out.ext = extname(path);
  out.name = out.ext ? out.base.slice(0, -out.ext.length) : out.base;
  const trimmed = path.replace(/\/+$/, '');
  const slash = trimmed.lastIndexOf('/');
  if (slash > 0) out.dir = trimmed.slice(0, slash);
  else if (slash === 0 || (trimmed === '' && out.root)) out.dir = '/';
  return out;
}

const posix = {
  resolve, normalize, isAbsolute, join, relative, dirname, basename, extname, format, parse,
  matchesGlob: (path, pattern) => require('internal/fs/glob').matchesGlob(path, pattern, false),
  toNamespacedPath: (path) => path, sep: '/', delimiter: ':', win32: null, posix: null,
};
posix.posix = posix;
Object.defineProperty(posix, 'win32', {
  configurable: true,
  enumerable: true,
  get() {
    const win32 = require('internal/path/win32');
    Object.assign(win32, { win32, posix });
    Object.defineProperty(posix, 'win32',
      { value: win32, writable: true, configurable: true, enumerable: true });
    return win32;
  },
  set(value) {
    Object.defineProperty(posix, 'win32',
      { value, writable: true, configurable: true, enumerable: true });
  },
});
module.exports = posix;
