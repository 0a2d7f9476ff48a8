'use strict';
// rm and opendir: operations on whole folders.

const native = binding('fs');
const { toPath, joinPath, entriesOf } = require('internal/fs/util');
const { missingArgs, withCode } = require('internal/errors/errors');
const { validateBoolean, validateFunction, validateInt32, validateInteger, validateObject,
  validateUint32 } = require('internal/errors/validators');

function removeSync(target, recursive) {
  const stat = require('fs').lstatSync(target);
  if (!stat.isDirectory()) {
    native.unlink(target, undefined);
    return;
  }
  if (!recursive) {
    throw isDirectory('rm', target);
  }
  for (const name of entriesOf(target)[0]) removeSync(joinPath(target, name), true);
  require('fs').rmdirSync(target); // as programs have it
}

function isDirectory(syscall, target) {
  const { SystemError } = require('internal/errors/system_error');
  return new SystemError({ code: 'EISDIR', message: 'is a directory', path: target, syscall,
    errno: 21 }, 'ERR_FS_EISDIR', 'Path is a directory');
}

function checkRemoval(options) {
  validateObject(options, 'options');
  const { recursive, retryDelay, maxRetries, force } =
    { recursive: false, retryDelay: 100, maxRetries: 0, force: false, ...options };
  validateBoolean(force, 'options.force');
  validateBoolean(recursive, 'options.recursive');
  validateInt32(retryDelay, 'options.retryDelay', 0);
  validateUint32(maxRetries, 'options.maxRetries');
  return { retryDelay, maxRetries, recursive, force };
}

let isWarned = false;

function warnRecursive() {
  if (isWarned) return;
  isWarned = true;
  process.emitWarning('In future versions of Node.js, fs.rmdir(path, { recursive: true }) will ' +
    'be removed. Use fs.rm(path, { recursive: true }) instead', 'DeprecationWarning', 'DEP0147');
}

// rmdir of a folder with all that is in it.
function removeTree(folder, callback) {
  const remove = () => {
    if (native.kind(folder) !== 2) native.rmdir(folder, undefined);
    removeSync(folder, true);
  };
  if (callback === undefined) {
    remove();
    return;
  }
  native.lstat(folder, () => {
    try {
      remove();
    } catch (error) {
      callback(error);
      return;
    }
    callback(null);
  });
}

function rmSync(name, options) {
  if (options !== undefined) checkRemoval(options);
  const target = toPath(name);
  binding('permission').demandPath(target, 2 | 4);
  try {
    removeSync(target, options?.recursive);
  } catch (error) {
    if (!(options?.force && error.code === 'ENOENT')) throw error;
  }
}

class Dir {
  #entries;
  #closed = false;
  #pending = 0;

  #path;

  constructor(folder, entries) {
    if (folder === undefined) throw missingArgs('handle');
    this.#path = folder;
    this.#entries = entries;
  }

  get path() { return this.#path; }

  #check() {
    if (this.#closed) {
      throw withCode(Error, 'ERR_DIR_CLOSED', 'Directory handle was closed');
    }
  }

  // Nothing synchronous while something is under way.
  #checkAlone() {
    this.#check();
    if (this.#pending > 0) {
      throw withCode(Error, 'ERR_DIR_CONCURRENT_OPERATION', 'Cannot do synchronous work on ' +
        'directory handle with concurrent asynchronous operations');
    }
  }

  readSync() {
    this.#checkAlone();
    return this.#entries.shift() ?? null;
  }

  read(callback) {
    if (callback !== undefined) validateFunction(callback, 'callback');
    this.#check();
    const entry = this.#entries.shift() ?? null;
    this.#pending++;
    const later = (tell) => setImmediate(() => {
      this.#pending--;
      tell();
    });
    if (callback === undefined) {
      return new Promise((resolve) => { later(() => resolve(entry)); });
    }
    later(() => callback(null, entry));
    return undefined;
  }

  closeSync() {
    this.#checkAlone();
    this.#closed = true;
  }

  close(callback) {
    if (callback !== undefined) validateFunction(callback, 'callback');
    let failure = null;
    try {
      this.#check();
    } catch (error) {
      failure = error;
    }
    this.#closed = true;
    if (callback === undefined) return failure ? Promise.reject(failure) : Promise.resolve();
    setImmediate(callback, failure);
    return undefined;
  }

  async* [Symbol.asyncIterator]() {
    try {
      for (let entry; (entry = await this.read()) !== null;) yield entry;
    } finally {
      if (!this.#closed) await this.close();
    }
  }
}

function opendirSync(name, options = {}) {
  const fs = require('fs');
  const folder = toPath(name);
  require('internal/fs/util').toOptions(options, {});
  if (options?.bufferSize !== undefined) {
    validateInteger(options.bufferSize, 'options.bufferSize', 1, 2 ** 32 - 1);
  }
  try {
    return new Dir(folder, fs.readdirSync(folder, { ...options, withFileTypes: true }));
  } catch (error) {
    if (error.syscall === 'scandir') {
      error.syscall = 'opendir';
      error.message = error.message.replace(', scandir', ', opendir');
    }
    throw error;
  }
}

// The callback form: what the plain form does, at the end of a trip to the pool.
function later(work, name = 'cb', check = () => {}) {
  return function run(...args) {
    const callback = args.pop();
    validateFunction(callback, name);
    check(args[1]);
    const first = toPath(args[0]);
    native.lstat(first, () => {
      let result;
      try {
        result = work(...args);
      } catch (error) {
        callback(error);
        return;
      }
      callback(null, result);
    });
  };
}

function install(fs) {
  Object.assign(fs, {
    rmSync, opendirSync, Dir, ...require('internal/fs/cp'),
    rm: later(rmSync, 'cb', (options) => {
      if (options !== undefined) checkRemoval(options);
    }),
    opendir: later(opendirSync, 'callback'),
  });
}

module.exports = { install, Dir, checkRemoval, isDirectory, removeTree, warnRecursive };
