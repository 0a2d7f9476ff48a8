'use strict';
// What fs, fs/promises and file streams share.

const native = binding('fs');
const { invalidArgType, invalidArgValue, outOfRange } = require('internal/errors/errors');
const { validateInt32, validateInteger } = require('internal/errors/validators');
const constants = require('internal/system/constants').fs;

const FLAGS = {
  r: constants.O_RDONLY, rs: constants.O_RDONLY | constants.O_SYNC,
  sr: constants.O_RDONLY | constants.O_SYNC, 'r+': constants.O_RDWR,
  'rs+': constants.O_RDWR | constants.O_SYNC, 'sr+': constants.O_RDWR | constants.O_SYNC,
};
for (const [name, extra] of [['', 0], ['x', constants.O_EXCL], ['s', constants.O_SYNC]]) {
  const write = constants.O_CREAT | extra;
  if (name !== 's') {
    FLAGS[`w${name}`] = FLAGS[`${name}w`] = write | constants.O_TRUNC | constants.O_WRONLY;
    FLAGS[`w${name}+`] = FLAGS[`${name}w+`] = write | constants.O_TRUNC | constants.O_RDWR;
  }
  FLAGS[`a${name}`] = FLAGS[`${name}a`] = write | constants.O_APPEND | constants.O_WRONLY;
  FLAGS[`a${name}+`] = FLAGS[`${name}a+`] = write | constants.O_APPEND | constants.O_RDWR;
}

function toFlags(flags, otherwise = 'r') {
  if (flags === undefined || flags === null) return FLAGS[otherwise];
  if (typeof flags === 'number') {
    validateInt32(flags, 'flags');
    return flags;
  }
  const number = FLAGS[flags];
  if (number === undefined) throw invalidArgValue('flags', flags);
  return number;
}

// A path without zeros: text, or bytes that reach the system as they are.
function toPath(value, name = 'path') {
  let found = value;
  if (value !== null && typeof value === 'object' && value.href && value.protocol)
    found = require('url').fileURLToPath(value);
  const isText = typeof found === 'string';
  if (!isText && !(found instanceof Uint8Array))
    throw invalidArgType(name, ['string', 'Buffer', 'URL'], value);
  if (isText ? found.includes('\u0000') : found.includes(0))
    throw invalidArgValue(name, found, 'must be a string, Uint8Array, or URL without null bytes');
  return found;
}

// For those who take paths apart.
function toTextPath(value, name) {
  const found = toPath(value, name);
  return typeof found === 'string' ? found : Buffer.from(found).toString();
}

// A name in a folder; what is no text stays bytes.
function joinPath(folder, name) {
  if (typeof folder === 'string' && typeof name === 'string') return `${folder}/${name}`;
  return Buffer.concat([Buffer.from(folder), Buffer.from('/'), Buffer.from(name)]);
}

// [names, types] of a folder, as bytes if one of them is no text.
function entriesOf(folder) {
  const found = native.scandir(folder, undefined);
  return found[0].some((name) => name.includes('\ufffd'))
    ? native.scandir(folder, undefined, true) : found;
}

function toFd(fd) {
  if (typeof fd !== 'number') throw invalidArgType('fd', 'number', fd);
  validateInteger(fd, 'fd', 0, 2147483647);
  return fd;
}

function toMode(mode, otherwise, name = 'mode') {
  if (otherwise !== undefined) mode ??= otherwise;
  if (typeof mode === 'string') {
    if (!/^[0-7]+$/.test(mode)) {
      throw invalidArgValue(name, mode, 'must be a 32-bit unsigned integer or an octal string');
    }
    return parseInt(mode, 8);
  }
  if (typeof mode !== 'number') throw invalidArgType(name, 'number', mode);
  if (!Number.isInteger(mode)) throw outOfRange(name, 'an integer', mode);
  if (mode < 0 || mode > 4294967295) throw outOfRange(name, '>= 0 && <= 4294967295', mode);
  return mode;
}

function toOptions(options, defaults) {
  if (options === undefined || options === null || typeof options === 'function') return defaults;
  if (typeof options === 'string') return { ...defaults, encoding: checkEncoding(options) };
  if (typeof options !== 'object') throw invalidArgType('options', ['string', 'Object'], options);
  if (options.encoding) checkEncoding(options.encoding);
  return { ...defaults, ...options };
}

function checkEncoding(encoding) {
  if (encoding !== 'buffer' && !Buffer.isEncoding(encoding)) {
    throw invalidArgValue('encoding', encoding, 'is invalid encoding');
  }
  return encoding;
}

function toSeconds(time, name = 'time') {
  if (typeof time === 'string' && +time == time) return +time;
  if (Number.isFinite(time)) return time < 0 ? Date.now() / 1000 : time;
  if (time instanceof Date) return time.getTime() / 1000;
  throw invalidArgType(name, ['Date', 'Time in seconds'], time);
}

function toBytes(data, encoding) {
  if (typeof data === 'string') return Buffer.from(data, encoding || 'utf8');
  if (ArrayBuffer.isView(data)) return data;
  throw invalidArgType('data', ['string', 'Buffer', 'TypedArray', 'DataView'], data);
}

function kindOf(mode) {
  return mode & constants.S_IFMT;
}

const KINDS = {
  isDirectory: constants.S_IFDIR, isFile: constants.S_IFREG, isBlockDevice: constants.S_IFBLK,
  isCharacterDevice: constants.S_IFCHR, isSymbolicLink: constants.S_IFLNK,
  isFIFO: constants.S_IFIFO, isSocket: constants.S_IFSOCK,
};

const FIELDS = ['dev', 'mode', 'nlink', 'uid', 'gid', 'rdev', 'blksize', 'ino', 'size', 'blocks',
  'atimeMs', 'mtimeMs', 'ctimeMs', 'birthtimeMs'];
const TIMES = ['atime', 'mtime', 'ctime', 'birthtime'];

function dateOf(ms) {
  return new Date(Math.round(Number(ms) + 0.5) - (Number(ms) % 1 === 0 ? 1 : 0) +
    (Number(ms) % 1 === 0 ? 0 : 0));
}

class Stats {
  constructor(...values) {
    if (Array.isArray(values[0])) [values] = values;
    FIELDS.forEach((name, i) => { this[name] = values[i]; });
    TIMES.forEach((name) => { this[name] = dateOf(this[`${name}Ms`]); });
  }
}

class BigIntStats {
  constructor(values) {
    FIELDS.forEach((name, i) => { this[name] = BigInt(Math.floor(values[i])); });
    // Milliseconds as a double may be off by more than a nanosecond, whole seconds are not.
    TIMES.forEach((name, i) => {
      const seconds = Math.round((values[10 + i] - values[14 + i] / 1e6) / 1e3);
      this[`${name}Ns`] = BigInt(seconds) * 1000000000n + BigInt(values[14 + i]);
      this[`${name}Ms`] = this[`${name}Ns`] / 1000000n;
    });
    TIMES.forEach((name) => { this[name] = new Date(Number(this[`${name}Ms`])); });
  }
}

for (const [name, kind] of Object.entries(KINDS)) {
  Object.defineProperty(Stats.prototype, name, {
    value: { [name]() { return kindOf(this.mode) === kind; } }[name],
    writable: true, configurable: true, enumerable: true,
  });
  Object.defineProperty(BigIntStats.prototype, name, {
    value: { [name]() { return kindOf(Number(this.mode)) === kind; } }[name],
    writable: true, configurable: true, enumerable: true,
  });
}

function toStats(values, options) {
  return options && options.bigint ? new BigIntStats(values) : new Stats(values);
}

const ENTRY_KINDS = {
  isFile: constants.UV_DIRENT_FILE, isDirectory: constants.UV_DIRENT_DIR,
  isSymbolicLink: constants.UV_DIRENT_LINK, isFIFO: constants.UV_DIRENT_FIFO,
  isSocket: constants.UV_DIRENT_SOCKET, isCharacterDevice: constants.UV_DIRENT_CHAR,
  isBlockDevice: constants.UV_DIRENT_BLOCK,
};
const kType = Symbol('type');

class Dirent {
  constructor(name, type, path) {
    this.name = name;
    this.parentPath = path;
    this.path = path;
    this[kType] = type;
  }
}
for (const [name, kind] of Object.entries(ENTRY_KINDS)) {
  Dirent.prototype[name] = { [name]() { return this[kType] === kind; } }[name];
}

class StatFs {
  constructor(values, options) {
    const isBig = Boolean(options?.bigint);
    ['type', 'bsize', 'blocks', 'bfree', 'bavail', 'files', 'ffree'].forEach((name, i) => {
      this[name] = isBig ? BigInt(values[i]) : values[i];
    });
  }
}

// Whether names have to come as bytes to be given in the encoding.
function wantsBytes(encoding) {
  return Boolean(encoding) && encoding !== 'utf8' && encoding !== 'utf-8';
}

function encodeName(name, encoding) {
  if (!wantsBytes(encoding)) return name;
  const bytes = typeof name === 'string' ? Buffer.from(name) : name;
  return encoding === 'buffer' ? bytes : bytes.toString(encoding);
}

const MODE = 1; // its place among the values of lstat

function typeOfMode(mode) {
  const name = Object.keys(KINDS).find((one) => KINDS[one] === kindOf(mode));
  return ENTRY_KINDS[name] ?? constants.UV_DIRENT_UNKNOWN;
}

// Some file systems do not tell what an entry is.
function typeOf(folder, name, type) {
  if (type !== constants.UV_DIRENT_UNKNOWN) return type;
  return typeOfMode(native.lstat(joinPath(folder, name), undefined)[MODE]);
}

function fromDirectory([names, types], path, options) {
  const order = names.map((_, i) => i);
  if (!options.withFileTypes) return order.map((i) => encodeName(names[i], options.encoding));
  return order.map((i) => new Dirent(encodeName(names[i], options.encoding),
    typeOf(path, names[i], types[i]), path));
}

// The same without waiting: callback(error, list).
function fromDirectoryLater(found, path, options, callback) {
  const [names, types] = found;
  let left = 1;
  let failure = null;
  const finish = () => {
    if (--left > 0) return;
    if (failure !== null) callback(failure);
    else callback(null, fromDirectory(found, path, options));
  };
  if (options.withFileTypes) {
    types.forEach((type, i) => {
      if (type !== constants.UV_DIRENT_UNKNOWN) return;
      left++;
      native.lstat(joinPath(path, names[i]), (error, values) => {
        if (error) failure ??= error;
        else types[i] = typeOfMode(values[MODE]);
        finish();
      });
    });
  }
  finish();
}

module.exports = {
  toFlags, toPath, toTextPath, joinPath, entriesOf, wantsBytes, toFd, toMode, toOptions,
  toSeconds, toBytes, toStats, Stats, BigIntStats, Dirent, StatFs, encodeName, fromDirectory,
  fromDirectoryLater, constants,
  kHold: Symbol('kHold'), // of a FileHandle: a stream begins (1) or ends (-1) to use it
};
