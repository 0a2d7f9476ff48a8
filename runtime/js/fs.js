'use strict';
const native = binding('fs');
const path = require('path');
const { invalidArgType, validateFunction, validateInteger } = require('internal/errors');
const util = require('internal/fs_util');
const { toFlags, toPath, toFd, toMode, toOptions, toSeconds, toBytes, toStats, StatFs,
  encodeName, fromDirectory, constants } = util;

function last(args) {
  const callback = args[args.length - 1];
  validateFunction(callback, 'cb');
  return callback;
}

const fs = module.exports;

// An operation that gives nothing but success: name, how its arguments become native ones.
function plain(name, convert, nativeName = name) {
  const call = native[nativeName];
  fs[name] = { [name](...args) {
    const callback = last(args);
    call(...convert(args.slice(0, -1)), callback);
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

plain('rmdir', onPath());
plain('unlink', onPath());
plain('close', onFd());
plain('fsync', onFd());
plain('fdatasync', onFd());
plain('chmod', onPath((mode) => toMode(mode, 0o666)));
plain('fchmod', onFd((mode) => toMode(mode, 0o666)));
plain('chown', onPath(id('uid'), id('gid')));
plain('lchown', onPath(id('uid'), id('gid')));
plain('fchown', onFd(id('uid'), id('gid')));
plain('utimes', onPath(toSeconds, toSeconds));
plain('lutimes', onPath(toSeconds, toSeconds));
plain('futimes', onFd(toSeconds, toSeconds));
plain('link', (args) => [toPath(args[0], 'existingPath'), toPath(args[1], 'newPath')]);
plain('rename', (args) => [toPath(args[0], 'oldPath'), toPath(args[1], 'newPath')]);
plain('symlink', (args) => [toPath(args[0], 'target'), toPath(args[1]), 0]);
plain('copyFile', (args) => [toPath(args[0], 'src'), toPath(args[1], 'dest'), args[2] ?? 0]);
plain('access', (args) => [toPath(args[0]), args[1] ?? constants.F_OK]);
plain('ftruncate', (args) => [toFd(args[0]), Math.max(0, args[1] ?? 0)]);
plain('open', (args) => [toPath(args[0]), toFlags(args[1]), toMode(args[2], 0o666)]);

fs.exists = function exists(name, callback) {
  validateFunction(callback, 'cb');
  try {
    native.access(toPath(name), 0, (error) => callback(!error));
  } catch {
    callback(false);
  }
};
fs.existsSync = function existsSync(name) {
  try {
    return native.kind(toPath(name)) !== 0 || isThere(toPath(name));
  } catch {
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
    (error ? callback(error) : callback(null, new StatFs(values))));
};
fs.statfsSync = (name) => new StatFs(native.statfs(toPath(name), undefined));

for (const name of ['readlink', 'realpath', 'mkdtemp']) {
  const convert = (value) => {
    const text = toPath(value, { mkdtemp: 'prefix', readlink: 'oldPath' }[name]);
    return name === 'mkdtemp' ? `${text}XXXXXX` : text;
  };
  fs[name] = { [name](target, options, callback) {
    if (typeof options === 'function') callback = options;
    validateFunction(callback, 'cb');
    const { encoding } = toOptions(options, {});
    native[name](convert(target), (error, text) =>
      (error ? callback(error) : callback(null, encodeName(text, encoding))));
  } }[name];
  fs[`${name}Sync`] = { [`${name}Sync`](target, options) {
    const { encoding } = toOptions(options, {});
    return encodeName(native[name](convert(target), undefined), encoding);
  } }[`${name}Sync`];
}

// Node walks the path and names the first part that is not there; the system only knows the whole.
function firstMissing(target, failure) {
  let walked = '/';
  for (const part of path.resolve(toPath(target)).split('/')) {
    walked = path.join(walked, part);
    try {
      native.lstat(walked, undefined);
    } catch (error) {
      return error;
    }
  }
  return failure;
}

const { realpath, realpathSync } = fs;
fs.realpath = function realpathOf(target, options, callback = options) {
  validateFunction(callback, 'cb');
  realpath(target, callback === options ? undefined : options, (error, found) =>
    (error ? callback(firstMissing(target, error)) : callback(null, found)));
};
fs.realpathSync = function realpathOf(target, options) {
  try {
    return realpathSync(target, options);
  } catch (error) {
    throw error.syscall === 'realpath' ? firstMissing(target, error) : error;
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
    (error ? callback(error) : callback(null, fromDirectory(found, folder, options))));
};
fs.readdirSync = function readdirSync(name, options) {
  options = toOptions(options, {});
  const folder = toPath(name);
  const first = fromDirectory(native.scandir(folder, undefined), folder, options);
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

function makeFolders(folder, mode) {
  const missing = [];
  let at = folder;
  while (native.kind(at) === 0) {
    missing.push(at);
    const up = path.dirname(at);
    if (up === at) break;
    at = up;
  }
  if (native.kind(at) === 1) native.mkdir(missing.pop() ?? at, mode, undefined);
  let first;
  while (missing.length > 0) {
    const next = missing.pop();
    if (native.kind(next) > 1) continue; // "made/.." is there now
    native.mkdir(next, mode, undefined);
    first ??= next;
  }
  return first;
}

fs.mkdirSync = function mkdirSync(name, options) {
  const { mode, recursive } = typeof options === 'object' && options !== null ? options
    : { mode: options };
  const folder = toPath(name);
  if (recursive) return makeFolders(folder, toMode(mode, 0o777));
  return native.mkdir(folder, toMode(mode, 0o777), undefined);
};
fs.mkdir = function mkdir(name, options, callback) {
  if (typeof options === 'function') callback = options;
  validateFunction(callback, 'cb');
  const { mode, recursive } = typeof options === 'object' && options !== null ? options
    : { mode: typeof options === 'function' ? undefined : options };
  const folder = toPath(name);
  if (!recursive) {
    native.mkdir(folder, toMode(mode, 0o777), callback);
    return;
  }
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

function position(value) {
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : -1;
}

function readArguments(buffer, offset, length, at) {
  if (offset !== null && typeof offset === 'object') {
    ({ offset = 0, length, position: at } = offset);
  }
  if (!ArrayBuffer.isView(buffer)) {
    throw invalidArgType('buffer', ['Buffer', 'TypedArray', 'DataView'], buffer);
  }
  offset ??= 0;
  validateInteger(offset, 'offset', 0);
  length ??= buffer.byteLength - offset;
  validateInteger(length, 'length', 0, buffer.byteLength - offset);
  return [buffer, offset, length, position(at)];
}

fs.read = function read(fd, buffer, offset, length, at, callback) {
  const args = [...arguments];
  callback = last(args);
  args.pop();
  if (!ArrayBuffer.isView(args[1])) {
    const options = args[1] || {};
    args[1] = options.buffer ?? Buffer.alloc(16384);
    args[2] = options;
  }
  const target = args[1];
  native.read(toFd(fd), ...readArguments(...args.slice(1)), (error, count) => {
    if (error) callback(error);
    else callback(null, count, target);
  });
};
Object.defineProperty(fs.read, require('util').promisify.args,
  { value: ['bytesRead', 'buffer'], enumerable: false });
fs.readSync = (fd, buffer, offset, length, at) =>
  native.read(toFd(fd), ...readArguments(buffer, offset, length, at), undefined);

function writeArguments(buffer, offset, length, at) {
  if (typeof buffer === 'string') {
    const bytes = Buffer.from(buffer, typeof length === 'string' ? length : 'utf8');
    return [bytes, 0, bytes.length, position(offset)];
  }
  return readArguments(buffer, offset, length, at);
}

fs.write = function write(fd, buffer, ...rest) {
  const callback = last(rest);
  native.write(toFd(fd), ...writeArguments(buffer, ...rest.slice(0, -1)), (error, count) => {
    if (error) callback(error);
    else callback(null, count, buffer);
  });
};
Object.defineProperty(fs.write, require('util').promisify.args,
  { value: ['bytesWritten', 'buffer'], enumerable: false });
fs.writeSync = (fd, buffer, offset, length, at) =>
  native.write(toFd(fd), ...writeArguments(buffer, offset, length, at), undefined);

for (const name of ['readv', 'writev']) {
  fs[name] = { [name](fd, buffers, at, callback = at) {
    validateFunction(callback, 'cb');
    native[name](toFd(fd), buffers, position(at), (error, count) =>
      (error ? callback(error) : callback(null, count, buffers)));
  } }[name];
  fs[`${name}Sync`] = { [`${name}Sync`](fd, buffers, at) {
    return native[name](toFd(fd), buffers, position(at), undefined);
  } }[`${name}Sync`];
}

function isText(encoding) {
  return encoding === 'utf8' || encoding === 'utf-8';
}

fs.readFile = function readFile(name, options, callback) {
  if (typeof options === 'function') callback = options;
  validateFunction(callback, 'cb');
  options = toOptions(options, { flag: 'r' });
  const { encoding } = options;
  if (options.signal && options.signal.aborted) {
    const { AbortError } = require('internal/errors');
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
  native.readFile(toPath(name), false, toFlags(options.flag), encoding && encoding !== 'buffer'
    ? (error, data) => (error ? callback(error) : callback(null, data.toString(encoding)))
    : callback);
};
fs.readFileSync = function readFileSync(name, options) {
  const { encoding, flag } = toOptions(options, { flag: 'r' });
  const data = native.readFileSync(typeof name === 'number' ? name : toPath(name), false,
    toFlags(flag));
  return encoding && encoding !== 'buffer' ? data.toString(encoding) : data;
};
void isText;

function writeEverything(fd, bytes, at, done) {
  if (at >= bytes.byteLength) {
    done(null);
    return;
  }
  native.write(fd, bytes, at, bytes.byteLength - at, -1, (error, count) => {
    if (error) done(error);
    else writeEverything(fd, bytes, at + count, done);
  });
}

fs.writeFile = function writeFile(name, data, options, callback) {
  if (typeof options === 'function') callback = options;
  validateFunction(callback, 'cb');
  const { encoding, mode, flag, signal } = toOptions(options, { flag: 'w', mode: 0o666 });
  const bytes = toBytes(data, encoding);
  if (signal && signal.aborted) {
    const { AbortError } = require('internal/errors');
    process.nextTick(callback, new AbortError(undefined, { cause: signal.reason }));
    return;
  }
  if (typeof name === 'number') {
    writeEverything(toFd(name), bytes, 0, callback);
    return;
  }
  native.open(toPath(name), toFlags(flag), toMode(mode, 0o666), (error, fd) => {
    if (error) {
      callback(error);
      return;
    }
    writeEverything(fd, bytes, 0, (failed) => {
      native.close(fd, (closing) => callback(failed || closing || null));
    });
  });
};
fs.writeFileSync = function writeFileSync(name, data, options) {
  const { encoding, mode, flag } = toOptions(options, { flag: 'w', mode: 0o666 });
  const bytes = toBytes(data, encoding);
  const fd = typeof name === 'number' ? toFd(name)
    : native.open(toPath(name), toFlags(flag), toMode(mode, 0o666), undefined);
  try {
    for (let at = 0; at < bytes.byteLength;) {
      at += native.write(fd, bytes, at, bytes.byteLength - at, -1, undefined);
    }
  } finally {
    if (typeof name !== 'number') native.close(fd, undefined);
  }
};
fs.appendFile = function appendFile(name, data, options, callback) {
  if (typeof options === 'function') callback = options;
  fs.writeFile(name, data, { flag: 'a', ...toOptions(options, {}) }, callback);
};
fs.appendFileSync = (name, data, options) =>
  fs.writeFileSync(name, data, { flag: 'a', ...toOptions(options, {}) });

fs.truncate = function truncate(name, length, callback) {
  if (typeof length === 'function') {
    callback = length;
    length = 0;
  }
  validateFunction(callback, 'cb');
  native.open(toPath(name), toFlags('r+'), 0, (error, fd) => {
    if (error) {
      callback(error);
      return;
    }
    native.ftruncate(fd, Math.max(0, length ?? 0), (failed) => {
      native.close(fd, (closing) => callback(failed || closing || null));
    });
  });
};
fs.truncateSync = function truncateSync(name, length = 0) {
  const fd = native.open(toPath(name), toFlags('r+'), 0, undefined);
  try {
    native.ftruncate(fd, Math.max(0, length ?? 0), undefined);
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
require('internal/fs_trees').install(fs);
for (const name of ['ReadStream', 'WriteStream', 'FileReadStream', 'FileWriteStream',
  'createReadStream', 'createWriteStream']) {
  Object.defineProperty(fs, name, {
    enumerable: true,
    configurable: true,
    get: () => require('internal/fs_streams')[name.replace('File', '')],
    set(value) { Object.defineProperty(fs, name, { value, writable: true, configurable: true }); },
  });
}
for (const name of ['watch', 'watchFile', 'unwatchFile', 'FSWatcher', 'StatWatcher']) {
  Object.defineProperty(fs, name, {
    enumerable: true, configurable: true, get: () => require('internal/fs_watch')[name],
  });
}
