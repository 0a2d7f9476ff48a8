'use strict';
// path.win32: paths with drives, network shares and both kinds of slashes.

const { validateString, validateObject } = require('internal/errors/validators');

const isSlash = (c) => c === '/' || c === '\\';
const isLetter = (c) => c !== undefined && /^[A-Za-z]$/.test(c);

function skipSlashes(path, at) {
  while (at < path.length && isSlash(path[at])) at++;
  return at;
}

function skipName(path, at) {
  while (at < path.length && !isSlash(path[at])) at++;
  return at;
}

// What the path begins with: a device (drive or \\server\share), whether what follows starts at its
// root, and where that begins.
function splitRoot(path) {
  if (path.length > 0 && isSlash(path[0])) {
    if (path.length > 1 && isSlash(path[1])) {
      const server = skipName(path, 2);
      const share = skipSlashes(path, server);
      if (server > 2 && share > server && share < path.length) {
        const end = skipName(path, share);
        const device = `\\\\${path.slice(2, server)}\\${path.slice(share, end)}`;
        return { device, isAbsolute: true, end, isShare: true };
      }
    }
    return { device: '', isAbsolute: true, end: 1 };
  }
  if (isLetter(path[0]) && path[1] === ':') {
    const isAbsolute = path.length > 2 && isSlash(path[2]);
    return { device: path.slice(0, 2), isAbsolute, end: isAbsolute ? 3 : 2 };
  }
  return { device: '', isAbsolute: false, end: 0 };
}

function simplify(path, allowAbove) {
  const out = [];
  for (const part of path.split(/[\\/]/)) {
    if (part === '' || part === '.') continue;
    if (part !== '..') out.push(part);
    else if (out.length > 0 && out[out.length - 1] !== '..') out.pop();
    else if (allowAbove) out.push('..');
  }
  return out.join('\\');
}

function currentFolder(device) {
  if (device === '') return process.cwd();
  const folder = process.env[`=${device}`] || process.cwd();
  const isOther = folder.slice(0, 2).toLowerCase() !== device.toLowerCase() && folder[2] === '\\';
  return folder === undefined || isOther ? `${device}\\` : folder;
}

function resolve(...parts) {
  let device = '';
  let tail = '';
  let isAbsolute = false;
  for (let i = parts.length - 1; i >= -1; i--) {
    const path = i >= 0 ? parts[i] : currentFolder(device);
    validateString(path, `paths[${i}]`);
    if (path.length === 0) continue;
    const root = splitRoot(path);
    if (root.device !== '') {
      if (device !== '' && root.device.toLowerCase() !== device.toLowerCase()) continue;
      if (device === '') device = root.device;
    }
    if (!isAbsolute) {
      tail = `${path.slice(root.end)}\\${tail}`;
      isAbsolute = root.isAbsolute;
    }
    if (isAbsolute && device !== '') break;
  }
  tail = simplify(tail, !isAbsolute);
  if (isAbsolute) return `${device}\\${tail}`;
  return `${device}${tail}` || '.';
}

function normalize(path) {
  validateString(path, 'path');
  if (path.length === 0) return '.';
  if (path.length === 1) return isSlash(path) ? '\\' : path;
  const root = splitRoot(path);
  if (root.isShare && skipSlashes(path, root.end) === path.length) return `${root.device}\\`;
  let tail = simplify(path.slice(root.end), !root.isAbsolute);
  if (tail === '' && !root.isAbsolute) tail = '.';
  if (tail !== '' && isSlash(path[path.length - 1])) tail += '\\';
  // What was relative must not come out as a drive.
  if (!root.isAbsolute && root.device === '' && path.includes(':')) {
    if (isLetter(tail[0]) && tail[1] === ':') return `.\\${tail}`;
    const colon = path.indexOf(':');
    if (colon === path.length - 1 || isSlash(path[colon + 1])) return `.\\${tail}`;
  }
  return `${root.device}${root.isAbsolute ? '\\' : ''}${tail}`;
}

function isAbsolute(path) {
  validateString(path, 'path');
  return splitRoot(path).isAbsolute;
}

function join(...parts) {
  for (const part of parts) validateString(part, 'path');
  const words = parts.filter((part) => part.length > 0);
  if (words.length === 0) return '.';
  let joined = words.join('\\');
  // Only a first part that names a server makes a network path; slashes that meet do not.
  const first = skipSlashes(words[0], 0);
  const isNetwork = first === 2 && words[0].length > 2;
  if (!isNetwork) {
    const slashes = skipSlashes(joined, 0);
    if (slashes >= 2) joined = `\\${joined.slice(slashes)}`;
  }
  return normalize(joined);
}

function relative(from, to) {
  validateString(from, 'from');
  validateString(to, 'to');
  if (from === to) return '';
  const a = resolve(from);
  const b = resolve(to);
  if (a.toLowerCase() === b.toLowerCase()) return '';
  const one = a.split('\\').filter(Boolean);
  const two = b.split('\\').filter(Boolean);
  let common = 0;
  while (common < one.length && common < two.length &&
         one[common].toLowerCase() === two[common].toLowerCase()) common++;
  if (common === 0) return b;
  return [...one.slice(common).map(() => '..'), ...two.slice(common)].join('\\');
}

function toNamespacedPath(path) {
  if (typeof path !== 'string' || path.length === 0) return path;
  const full = resolve(path);
  if (full.length <= 2) return path;
  if (full.startsWith('\\\\')) {
    return full[2] === '?' || full[2] === '.' ? full : `\\\\?\\UNC\\${full.slice(2)}`;
  }
  return isLetter(full[0]) && full[1] === ':' && full[2] === '\\' ? `\\\\?\\${full}` : full;
}

// How much of the path is its root, slash included.
function rootLength(path) {
  const root = splitRoot(path);
  return root.isShare && root.end < path.length ? root.end + 1 : root.end;
}

function withoutTrailing(path, start) {
  let end = path.length;
  while (end > start && isSlash(path[end - 1])) end--;
  return end;
}

function dirname(path) {
  validateString(path, 'path');
  if (path.length === 0) return '.';
  const start = rootLength(path);
  let end = withoutTrailing(path, start);
  while (end > start && !isSlash(path[end - 1])) end--;
  if (end === start) return start === 0 ? '.' : path.slice(0, start);
  return path.slice(0, end - 1);
}

function basename(path, suffix) {
  if (suffix !== undefined) validateString(suffix, 'suffix');
  validateString(path, 'path');
  const start = isLetter(path[0]) && path[1] === ':' ? 2 : 0;
  const end = withoutTrailing(path, start);
  let begin = end;
  while (begin > start && !isSlash(path[begin - 1])) begin--;
  const base = path.slice(begin, end);
  if (suffix !== undefined && suffix === path) return '';
  if (suffix !== undefined && suffix.length < base.length && base.endsWith(suffix)) {
    return base.slice(0, -suffix.length || undefined);
  }
  return base;
}

function extname(path) {
  validateString(path, 'path');
  const base = basename(path);
  const dot = base.lastIndexOf('.');
  return dot <= 0 || base === '..' ? '' : base.slice(dot);
}

function format(parts) {
  validateObject(parts, 'pathObject');
  const dir = parts.dir || parts.root;
  const ext = parts.ext ? `${parts.ext[0] === '.' ? '' : '.'}${parts.ext}` : '';
  const base = parts.base || `${parts.name || ''}${ext}`;
  if (!dir) return base;
  return dir === parts.root ? `${dir}${base}` : `${dir}\\${base}`;
}

function parse(path) {
  validateString(path, 'path');
  const out = { root: '', dir: '', base: '', ext: '', name: '' };
  if (path.length === 0) return out;
  const start = rootLength(path);
  out.root = path.slice(0, start);
  const rest = path.slice(start);
  out.base = basename(rest);
  out.ext = extname(rest);
  out.name = out.ext ? out.base.slice(0, -out.ext.length) : out.base;
  const end = withoutTrailing(path, start);
  let begin = end;
  while (begin > start && !isSlash(path[begin - 1])) begin--;
  out.dir = begin > start ? path.slice(0, begin - 1) : out.root;
  return out;
}

module.exports = {
  resolve, normalize, isAbsolute, join, relative, toNamespacedPath, dirname, basename, extname,
  format, parse,
  matchesGlob: (path, pattern) => require('internal/fs/glob').matchesGlob(path, pattern, true),
  sep: '\\', delimiter: ';', win32: null, posix: null,
};
