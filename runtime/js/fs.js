'use strict';
const native = binding('fs');
const gate = binding('gate');
const path = require('path');
const { AbortError, withCode } = require('internal/errors/errors');
const { validateAbortSignal, validateBoolean, validateFunction, validateInteger } =
  require('internal/errors/validators');
const util = require('internal/fs/util');
const { toFlags, toPath, toTextPath, toFd, toMode, toOptions, toSeconds, toBytes, toStats, StatFs,
  encodeName, wantsBytes, fromDirectory, constants } = util;

const fs = module.exports;

// An operation that gives nothing but success: its name, how its arguments become native ones, and
// between how many of them the callback may come.
function plain(name, convert, least, most = least) {
  const call = native[name];
  fs[name] = { [name](...args) {
    let at = least;
    while (at < most && typeof args[at] !== 'function') at++;
    const converted = convert(args.slice(0, at));
    validateFunction(args[at], 'cb');
    call(...converted, args[at]);
  } }[name];
  fs[`${name}Sync`] = { [`${name}Sync`](...args) {
    return call(...convert(args), undefined);
  } }[`${name}Sync`];
}

const onPath = (...rest) => (args) => [toPath(args[0]), ...rest.map((f, i) => f(args[i + 1]))];
const onFd = (...rest) => (args) => [toFd(args[0]), ...rest.map((f, i) => f(args[i + 1]))];
const id = (name) => (value) => {
  validateInteger(value, name, -1, 4294967295);
  return value;
};

// What access and copyFile may be asked for: bits of a small number.
function modeBits(value, otherwise = 0) {
  if (value === undefined || value === null) return otherwise;
  validateInteger(value, 'mode', 0, 7);
  return value;
}

function toLength(length) {
  if (length === undefined) return 0;
  validateInteger(length, 'len');
  return Math.max(0, length);
}

function symlinkType(type) {
  if (type === undefined || type === null) return 0;
  if (['dir', 'file', 'junction'].includes(type)) return 0;
  throw withCode(Error, 'ERR_FS_INVALID_SYMLINK_TYPE',
    `Symlink type must be one of "dir", "file", or "junction". Received "${type}"`);
}

plain('unlink', onPath(), 1);
plain('fsync', onFd(), 1);
plain('fdatasync', onFd(), 1);
plain('chmod', onPath((mode) => toMode(mode)), 2);
plain('fchmod', onFd((mode) => toMode(mode)), 2);
plain('chown', onPath(id('uid'), id('gid')), 3);
plain('lchown', onPath(id('uid'), id('gid')), 3);
plain('fchown', onFd(id('uid'), id('gid')), 3);
plain('utimes', onPath(toSeconds, toSeconds), 3);
plain('lutimes', onPath(toSeconds, toSeconds), 3);
plain('futimes', onFd((time) => toSeconds(time, 'atime'), (time) => toSeconds(time, 'mtime')), 3);
plain('link', (args) => [toPath(args[0], 'existingPath'), toPath(args[1], 'newPath')], 2);
plain('rename', (args) => [toPath(args[0], 'oldPath'), toPath(args[1], 'newPath')], 2);
plain('symlink', (args) => {
  const type = symlinkType(args[2]);
  return [toPath(args[0], 'target'), toPath(args[1]), type];
}, 2, 3);
plain('copyFile', (args) => [toPath(args[0], 'src'), toPath(args[1], 'dest'), modeBits(args[2])],
  2, 3);
plain('access', (args) => [toPath(args[0]), modeBits(args[1])], 1, 2);
plain('ftruncate', (args) => [toFd(args[0]), toLength(args[1])], 1, 2);
plain('open', (args) => [toPath(args[0]), toFlags(args[1]), toMode(args[2], 0o666)], 1, 3);
fs._toUnixTimestamp = toSeconds;

function removeFolder(options, remove) {
  if (!options?.recursive) return remove;
  const { warnRecursive, removeTree } = require('internal/fs/trees');
  warnRecursive();
  return removeTree;
}

fs.rmdir = function rmdir(name, options, callback = options) {
  const folder = toPath(name);
  validateFunction(callback, 'cb');
  checkRmdir(options);
  removeFolder(options, native.rmdir)(folder, callback);
};
fs.rmdirSync = function rmdirSync(name, options) {
  const folder = toPath(name);
  checkRmdir(options);
  removeFolder(options, native.rmdir)(folder, undefined);
};

function checkRmdir(options) {
  if (options === undefined || typeof options === 'function') return;
  require('internal/fs/trees').checkRemoval(options);
}

fs.close = function close(fd, callback) {
  fd = toFd(fd);
  if (callback !== undefined) validateFunction(callback, 'cb');
  native.close(fd, callback ?? ((error) => { if (error) throw error; }));
};
fs.closeSync = (fd) => native.close(toFd(fd), undefined);

fs.exists = function exists(name, callback) {
  validateFunction(callback, 'cb');
  try {
    native.access(toPath(name), 0, (error) => callback(!error));
  } catch {
    callback(false);
  }
};
Object.defineProperty(fs.exists, require('util').promisify.custom, {
  value: function exists(name) {
    return new Promise((resolve) => { fs.exists(name, resolve); });
  },
  enumerable: false,
});
fs.existsSync = function existsSync(name) {
  try {
    return native.kind(toPath(name)) !== 0 || isThere(toPath(name));
  } catch (error) {
    if (error.code === 'ERR_ACCESS_DENIED') throw error;
    return false;
  }
};

function isThere(name) {
  try {
    native.access(name, 0, undefined);
    return true;
  } catch {
    return false;
  }
}

for (const name of ['stat', 'lstat', 'fstat']) {
  const check = name === 'fstat' ? toFd : toPath;
  fs[name] = { [name](target, options, callback) {
    if (typeof options === 'function') callback = options;
    validateFunction(callback, 'cb');
    native[name](check(target), (error, values) => {
      if (error) callback(error);
      else callback(null, toStats(values, options));
    });
  } }[name];
  fs[`${name}Sync`] = { [`${name}Sync`](target, options) {
    try {
      return toStats(native[name](check(target), undefined), options);
    } catch (error) {
      if (options && options.throwIfNoEntry === false &&
          (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return undefined;
      throw error;
    }
  } }[`${name}Sync`];
}

fs.statfs = function statfs(name, options, callback = options) {
  validateFunction(callback, 'cb');
  native.statfs(toPath(name), (error, values) =>
    (error ? callback(error) : callback(null, new StatFs(values, options))));
};
fs.statfsSync = function statfsSync(name, options) {
  return new StatFs(native.statfs(toPath(name), undefined), options);
};

let isTemplateWarned = false;

for (const name of ['readlink', 'realpath', 'mkdtemp']) {
  const convert = (value) => {
    const text = toPath(value, { mkdtemp: 'prefix', readlink: 'oldPath' }[name]);
    if (name !== 'mkdtemp') return text;
    if ((typeof text === 'string' ? text.endsWith('X') : text.at(-1) === 88) &&
        !isTemplateWarned) {
      isTemplateWarned = true;
      process.emitWarning('mkdtemp() templates ending with X are not portable. For details see: ' +
        'https://nodejs.org/api/fs.html');
    }
    return typeof text === 'string' ? `${text}XXXXXX`
      : Buffer.concat([text, Buffer.from('XXXXXX')]);
  };
  fs[name] = { [name](target, options, callback) {
    if (typeof options === 'function') callback = options;
    validateFunction(callback, 'cb');
    const { encoding } = toOptions(options, {});
    native[name](convert(target), (error, text) =>
      (error ? callback(error) : callback(null, encodeName(text, encoding))),
    wantsBytes(encoding));
  } }[name];
  fs[`${name}Sync`] = { [`${name}Sync`](target, options) {
    const { encoding } = toOptions(options, {});
    return encodeName(native[name](convert(target), undefined, wantsBytes(encoding)), encoding);
  } }[`${name}Sync`];
}

// Node walks the path and names the first part that is not there; the system only knows the whole.
function firstMissing(target, failure) {
  let walked = '/';
  for (const part of path.resolve(toTextPath(target)).split('/')) {
    walked = path.join(walked, part);
    try {
      native.lstat(walked, undefined);
    } catch (error) {
      return error;
    }
  }
  return failure;
}

// A pipe or a socket that is reached by a name but has none of its own, as /dev/stdin may be.
function nameless(target, error, callback) {
  fs.stat(target, (_, found) => {
    if (found?.isFIFO() || found?.isSocket()) callback(null, path.resolve(toTextPath(target)));
    else callback(firstMissing(target, error));
  });
}

function isNameless(target) {
  const found = fs.statSync(target, { throwIfNoEntry: false });
  return Boolean(found?.isFIFO() || found?.isSocket());
}

const { realpath, realpathSync } = fs;
fs.realpath = function realpathOf(target, options, callback = options) {
  validateFunction(callback, 'cb');
  toOptions(options, {});
  realpath(target, callback === options ? undefined : options, (error, found) =>
    (error ? nameless(target, error, callback) : callback(null, found)));
};
// Names may be seen where files may not be read, as in Node.
fs.realpathSync = function realpathOf(target, options) {
  try {
    const { encoding } = toOptions(options, {});
    return encodeName(native.placeOf(toPath(target), wantsBytes(encoding)), encoding);
  } catch (error) {
    if (error.syscall !== 'realpath') throw error;
    if (isNameless(target)) return path.resolve(toTextPath(target));
    throw firstMissing(target, error);
  }
};
fs.realpath.native = realpath;
fs.realpathSync.native = realpathSync;

fs.readdir = function readdir(name, options, callback) {
  if (typeof options === 'function') callback = options;
  validateFunction(callback, 'cb');
  options = toOptions(options, {});
  const folder = toPath(name);
  if (options.recursive) {
    fs.promises.readdir(folder, options).then((list) => callback(null, list), callback);
    return;
  }
  native.scandir(folder, (error, found) =>
    (error ? callback(error) : util.fromDirectoryLater(found, folder, options, callback)),
  wantsBytes(options.encoding));
};
fs.readdirSync = function readdirSync(name, options) {
  options = toOptions(options, {});
  const folder = toPath(name);
  const first = fromDirectory(native.scandir(folder, undefined, wantsBytes(options.encoding)),
    folder, options);
  if (!options.recursive) return first;
  const out = [];
  const waiting = [[folder, '']];
  while (waiting.length > 0) {
    const [at, prefix] = waiting.shift();
    const entries = fromDirectory(native.scandir(at, undefined), at, { withFileTypes: true });
    for (const entry of entries) {
      const relative = prefix ? `${prefix}/${entry.name}` : entry.name;
      out.push(options.withFileTypes ? entry : relative);
      if (entry.isDirectory()) waiting.push([`${at}/${entry.name}`, relative]);
    }
  }
  return out;
};

// Which of the folders are there is seen by those who may write there.
function checkFolders(folder) {
  binding('permission').demandPath(folder, 2 | 4);
}

function makeFolders(folder, mode) {
  checkFolders(folder);
  if (typeof folder !== 'string') {
    const made = makeFoldersOf(Buffer.from(folder).toString('latin1'), mode, toBytesPath);
    return made === undefined ? undefined : toBytesPath(made).toString();
  }
  return makeFoldersOf(folder, mode, (text) => text);
}

// A path whose characters stand for bytes.
const toBytesPath = (text) => Buffer.from(text, 'latin1');

function makeFoldersOf(folder, mode, encode) {
  const missing = [];
  let at = folder;
  while (native.lookUp(encode(at)) === 0) {
    missing.push(at);
    const up = path.dirname(at);
    if (up === at) break;
    at = up;
  }
  if (native.lookUp(encode(at)) === 1)
    native.mkdir(encode(missing.length > 0 ? folder : at), mode, undefined);
  let first;
  while (missing.length > 0) {
    const next = missing.pop();
    if (native.lookUp(encode(next)) > 1) continue; // "made/.." is there now
    native.mkdir(encode(next), mode, undefined);
    first ??= next;
  }
  return first;
}

function mkdirOptions(options) {
  if (typeof options === 'number' || typeof options === 'string') return { mode: options };
  const { mode, recursive } = typeof options === 'object' && options !== null ? options : {};
  if (recursive !== undefined) validateBoolean(recursive, 'options.recursive');
  return { mode, recursive };
}

fs.mkdirSync = function mkdirSync(name, options) {
  const { mode, recursive } = mkdirOptions(options);
  const folder = toPath(name);
  if (recursive) return makeFolders(folder, toMode(mode, 0o777));
  return native.mkdir(folder, toMode(mode, 0o777), undefined);
};
fs.mkdir = function mkdir(name, options, callback) {
  if (typeof options === 'function') callback = options;
  validateFunction(callback, 'cb');
  const { mode, recursive } = mkdirOptions(options);
  const folder = toPath(name);
  if (!recursive) {
    native.mkdir(folder, toMode(mode, 0o777), callback);
    return;
  }
  checkFolders(folder);
  // One trip to the pool first, so that the result comes as late as any other.
  native.stat(folder, () => {
    let made;
    try {
      made = makeFolders(folder, toMode(mode, 0o777));
    } catch (error) {
      callback(error);
      return;
    }
    callback(null, made);
  });
};

Object.assign(fs, require('internal/fs/io'));

fs.readFile = function readFile(name, options, callback) {
  if (typeof options === 'function') callback = options;
  validateFunction(callback, 'cb');
  options = toOptions(options, { flag: 'r' });
  const { encoding } = options;
  validateAbortSignal(options.signal, 'options.signal');
  if (options.signal && options.signal.aborted) {
    callback(new AbortError(undefined, { cause: options.signal.reason }));
    return;
  }
  if (typeof name === 'number' || options.signal) {
    fs.promises.readFile(typeof name === 'number' ? { fd: name } : name, options)
      .then((data) => process.nextTick(callback, null, data),
        (error) => process.nextTick(callback, error));
    return;
  }
  // Text is checked for bad bytes only by Buffer, so plain ASCII and UTF-8 come straight from C.
  const done = encoding && encoding !== 'buffer'
    ? (error, data) => (error ? callback(error) : callback(null, data.toString(encoding)))
    : callback;
  const flags = toFlags(options.flag);
  if (gate.isHooked()) require('internal/fs/steps').readFile(toPath(name), flags, done);
  else native.readFile(toPath(name), false, flags, done);
};
fs.readFileSync = function readFileSync(name, options) {
  const { encoding, flag } = toOptions(options, { flag: 'r' });
  const data = native.readFileSync(typeof name === 'number' ? name : toPath(name), false,
    toFlags(flag));
  return encoding && encoding !== 'buffer' ? data.toString(encoding) : data;
};

// Writes all of it; `check` throws or gives an error once it was aborted.
function writeEverything(fd, bytes, at, signal, done) {
  if (signal && signal.aborted) {
    done(new AbortError(undefined, { cause: signal.reason }));
    return;
  }
  native.write(fd, bytes, at, bytes.byteLength - at, -1, (error, count) => {
    if (error || at + count >= bytes.byteLength) done(error ?? null);
    else writeEverything(fd, bytes, at + count, signal, done);
  });
}

function checkFlush(flush) {
  if (flush === undefined || flush === null) return false;
  validateBoolean(flush, 'options.flush');
  return flush;
}

fs.writeFile = function writeFile(name, data, options, callback) {
  callback ||= options;
  validateFunction(callback, 'cb');
  const { encoding, mode, flag, signal, flush } =
    toOptions(options, { encoding: 'utf8', flag: 'w', mode: 0o666 });
  const isFlushed = checkFlush(flush);
  const bytes = toBytes(data, encoding);
  validateAbortSignal(signal, 'options.signal');
  if (signal && signal.aborted) {
    process.nextTick(callback, new AbortError(undefined, { cause: signal.reason }));
    return;
  }
  const finish = (fd, isOwn) => (failed) => {
    const close = (error) => {
      if (!isOwn) callback(error || null);
      else native.close(fd, (closing) => callback(error || closing || null));
    };
    if (failed || !isFlushed) close(failed);
    else fs.fsync(fd, close);
  };
  if (typeof name === 'number') {
    writeEverything(toFd(name), bytes, 0, signal, finish(name, false));
    return;
  }
  native.open(toPath(name), toFlags(flag), toMode(mode, 0o666), (error, fd) => {
    if (error) callback(error);
    else writeEverything(fd, bytes, 0, signal, finish(fd, true));
  });
};
fs.writeFileSync = function writeFileSync(name, data, options) {
  const { encoding, mode, flag, flush } =
    toOptions(options, { encoding: 'utf8', flag: 'w', mode: 0o666 });
  const isFlushed = checkFlush(flush);
  const bytes = toBytes(data, encoding);
  const fd = typeof name === 'number' ? toFd(name)
    : native.open(toPath(name), toFlags(flag), toMode(mode, 0o666), undefined);
  try {
    for (let at = 0; at < bytes.byteLength;) {
      at += native.write(fd, bytes, at, bytes.byteLength - at, -1, undefined);
    }
    if (isFlushed) fs.fsyncSync(fd);
  } finally {
    if (typeof name !== 'number') native.close(fd, undefined);
  }
};
fs.appendFile = function appendFile(name, data, options, callback) {
  callback ||= options;
  validateFunction(callback, 'cb');
  options = toOptions(options, {});
  fs.writeFile(name, data, { ...options, flag: options.flag ?? 'a' }, callback);
};
fs.appendFileSync = function appendFileSync(name, data, options) {
  options = toOptions(options, {});
  fs.writeFileSync(name, data, { ...options, flag: options.flag ?? 'a' });
};

let isTruncateWarned = false;

function warnTruncate() {
  if (isTruncateWarned) return;
  isTruncateWarned = true;
  process.emitWarning('Using fs.truncate with a file descriptor is deprecated. Please use ' +
    'fs.ftruncate with a file descriptor instead.', 'DeprecationWarning', 'DEP0081');
}

fs.truncate = function truncate(name, length, callback) {
  if (typeof name === 'number') {
    warnTruncate();
    fs.ftruncate(name, length, callback);
    return;
  }
  if (typeof length === 'function') {
    callback = length;
    length = 0;
  }
  const size = toLength(length);
  validateFunction(callback, 'cb');
  native.open(toPath(name), toFlags('r+'), 0, (error, fd) => {
    if (error) {
      callback(error);
      return;
    }
    native.ftruncate(fd, size, (failed) => {
      native.close(fd, (closing) => callback(failed || closing || null));
    });
  });
};
fs.truncateSync = function truncateSync(name, length) {
  if (typeof name === 'number') {
    warnTruncate();
    fs.ftruncateSync(name, length);
    return;
  }
  const size = toLength(length);
  const fd = native.open(toPath(name), toFlags('r+'), 0, undefined);
  try {
    native.ftruncate(fd, size, undefined);
  } finally {
    native.close(fd, undefined);
  }
};

Object.assign(fs, {
  constants, Stats: util.Stats, Dirent: util.Dirent, F_OK: 0, R_OK: 4, W_OK: 2, X_OK: 1,
});
Object.defineProperty(fs, 'promises', {
  enumerable: true, configurable: true, get: () => require('fs/promises'),
});
require('internal/fs/trees').install(fs);
fs.openAsBlob = function openAsBlob(...args) {
  return require('internal/blob/file').openAsBlob(...args);
};
for (const name of ['ReadStream', 'WriteStream', 'FileReadStream', 'FileWriteStream',
  'createReadStream', 'createWriteStream']) {
  Object.defineProperty(fs, name, {
    enumerable: true,
    configurable: true,
    get: () => require('internal/fs/streams')[name.replace('File', '')],
    set(value) { Object.defineProperty(fs, name, { value, writable: true, configurable: true }); },
  });
}
for (const name of ['watch', 'watchFile', 'unwatchFile', 'FSWatcher', 'StatWatcher']) {
  Object.defineProperty(fs, name, {
    enumerable: !name.endsWith('Watcher'), configurable: true,
    get: () => require('internal/fs/watch')[name],
  });
}
