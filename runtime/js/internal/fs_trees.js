'use strict';
// rm, cp and opendir: operations on whole folders.

const path = require('path');
const native = binding('fs');
const { toPath } = require('internal/fs_util');
const { validateFunction, validateInteger, withCode } = require('internal/errors');

function removeSync(target, recursive) {
  const stat = require('fs').lstatSync(target);
  if (!stat.isDirectory()) {
    native.unlink(target, undefined);
    return;
  }
  if (!recursive) {
    throw isDirectory('rm', target);
  }
  for (const name of native.scandir(target, undefined)[0]) removeSync(`${target}/${name}`, true);
  native.rmdir(target, undefined);
}

function isDirectory(syscall, target, why = 'is a directory') {
  const error = withCode(Error, 'ERR_FS_EISDIR',
    `Path is a directory: ${syscall} returned EISDIR (${why}) ${target}`);
  error.name = 'SystemError';
  error.errno = 21;
  error.syscall = syscall;
  error.path = target;
  return error;
}

function rmSync(name, options = {}) {
  try {
    removeSync(toPath(name), options.recursive);
  } catch (error) {
    if (!(options.force && error.code === 'ENOENT')) throw error;
  }
}

function copySync(from, to, options) {
  const fs = require('fs');
  if (options.filter && !options.filter(from, to)) return;
  const stat = options.dereference ? fs.statSync(from) : fs.lstatSync(from);
  if (stat.isDirectory()) {
    if (!options.recursive) {
      throw isDirectory('cp', from, `${from} is a directory (not copied)`);
    }
    fs.mkdirSync(to, { recursive: true, mode: stat.mode & 0o777 });
    for (const name of native.scandir(from, undefined)[0]) {
      copySync(`${from}/${name}`, `${to}/${name}`, options);
    }
    return;
  }
  const exists = fs.existsSync(to);
  if (exists && options.force === false) {
    if (options.errorOnExist) {
      throw withCode(Error, 'ERR_FS_CP_EEXIST',
        `Target already exists: cp returned EEXIST (${to} already exists) ${to}`);
    }
    return;
  }
  fs.mkdirSync(path.dirname(to), { recursive: true });
  if (stat.isSymbolicLink()) {
    if (exists) native.unlink(to, undefined);
    native.symlink(native.readlink(from, undefined), to, 0, undefined);
  } else {
    native.copyFile(from, to, options.mode || 0, undefined);
    native.chmod(to, stat.mode & 0o7777, undefined);
  }
}

function cpSync(from, to, options = {}) {
  copySync(toPath(from, 'src'), toPath(to, 'dest'), options);
}

class Dir {
  #entries;
  #closed = false;

  constructor(folder, entries) {
    this.path = folder;
    this.#entries = entries;
  }

  #check() {
    if (this.#closed) {
      throw withCode(Error, 'ERR_DIR_CLOSED', 'Directory handle was closed');
    }
  }

  readSync() {
    this.#check();
    return this.#entries.shift() ?? null;
  }

  read(callback) {
    this.#check();
    const entry = this.#entries.shift() ?? null;
    if (callback === undefined) {
      return new Promise((resolve) => { setImmediate(resolve, entry); });
    }
    setImmediate(callback, null, entry);
    return undefined;
  }

  closeSync() {
    this.#check();
    this.#closed = true;
  }

  close(callback) {
    this.#check();
    this.#closed = true;
    if (callback === undefined) return Promise.resolve();
    setImmediate(callback, null);
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
function later(work) {
  return function run(...args) {
    const callback = args.pop();
    validateFunction(callback, 'cb');
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
    rmSync, cpSync, opendirSync, Dir, rm: later(rmSync), cp: later(cpSync),
    opendir: later(opendirSync),
  });
}

module.exports = { install, Dir };
