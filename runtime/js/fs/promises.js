'use strict';
const fs = require('fs');
const EventEmitter = require('events');
const util = require('internal/fs/util');
const native = binding('fs');
const ids = require('internal/async/ids');
const { promisify } = require('util');
const { kTransfer, kDeserialize, refuse } = require('internal/messages/transfer');
const { AbortError, aggregateTwo, invalidArgType, withCode } = require('internal/errors/errors');
const { showWaiters } = binding('frames');
const { kHold } = util;
const { validateAbortSignal, validateBoolean } = require('internal/errors/validators');

const pathOperations = ['access', 'appendFile', 'chmod', 'chown', 'copyFile', 'cp', 'lchown',
  'link', 'lstat', 'lutimes', 'mkdir', 'mkdtemp', 'opendir', 'readlink', 'realpath', 'rename',
  'rm', 'rmdir', 'stat', 'statfs', 'symlink', 'unlink', 'utimes'];

// The promise of what a call gives its callback; what fails has the stack of those who wait.
function promised(start) {
  let promise;
  promise = new Promise((resolve, reject) => start((error, value) =>
    (error ? reject(showWaiters(error, promise)) : resolve(value))));
  return promise;
}

for (const name of pathOperations) {
  const call = name === 'realpath' ? fs.realpath.native : fs[name];
  exports[name] = { async [name](...args) {
    return promised((done) => ids.promised(() => call(...args, done)));
  } }[name];
}

const LOST = 'Closing a FileHandle object on garbage collection is deprecated. Please close ' +
  'FileHandle objects explicitly using FileHandle.prototype.close(). In the future, an error ' +
  'will be thrown if a file descriptor is closed during garbage collection.';
let isLossTold = false;

// Handles that nobody closed and nobody has any more.
const lost = new FinalizationRegistry((fd) => {
  fs.close(fd, () => {});
  process.emitWarning(`Closing file descriptor ${fd} on garbage collection`);
  if (isLossTold) return;
  isLossTold = true;
  process.emitWarning(LOST, 'DeprecationWarning', 'DEP0137');
});

function notAHandle() {
  return withCode(Error, 'ERR_INTERNAL_ASSERTION', 'handle must be an instance of FileHandle');
}

let run, during; // calls on a handle, and work of several of them: rejected where it is none

class FileHandle extends EventEmitter {
  #fd;
  #closing;
  #work;
  #busy = 0; // operations under way
  #isLocked = false; // by a stream of the web

  constructor(fd) {
    super();
    this.#fd = fd;
    if (ids.isCounting()) this.#work = ids.made('FILEHANDLE', this);
    lost.register(this, fd, this);
  }

  get fd() { return this.#fd; }

  // A stream begins (1) or ends (-1) to use it.
  [kHold](change) { this.#busy += change; }

  // It goes to another thread; here it is closed from now on.
  [kTransfer]() {
    if (this.#closing !== undefined || this.#busy > 0) {
      throw refuse('Cannot transfer FileHandle while in use');
    }
    const fd = this.#fd;
    this.#fd = -1;
    lost.unregister(this);
    return { data: { fd }, deserializeInfo: 'internal/fs/promises:FileHandle' };
  }

  static [kDeserialize]({ fd }) { return new FileHandle(fd); }

  static {
    // What a handle that is none, or is closed, answers.
    const refusal = (handle, name) => {
      if (handle === null || typeof handle !== 'object' || !(#fd in handle)) return notAHandle();
      return handle.#fd === -1
        ? Object.assign(new Error('file closed'), { code: 'EBADF', syscall: name }) : undefined;
    };
    run = (handle, call, ...args) => {
      const failure = refusal(handle, call.name);
      return failure === undefined ? handle.#run(call, ...args) : Promise.reject(failure);
    };
    during = (handle, work, ...args) => {
      const failure = refusal(handle, work.name);
      return failure === undefined ? handle.#during(work(handle, ...args))
        : Promise.reject(failure);
    };
  }

  #run(call, ...args) {
    return promised((done) => {
      const { fd } = this;
      this.#busy++;
      ids.promised(() => call(fd, ...args, (error, value) => {
        this.#busy--;
        done(error, value);
      }));
    });
  }

  async read(buffer, offset, length, position) {
    let options = {};
    if (buffer === undefined || !ArrayBuffer.isView(buffer)) {
      if (buffer != null && typeof buffer !== 'object') {
        throw invalidArgType('options', 'object', buffer);
      }
      options = buffer ?? {};
      buffer = options.buffer ?? Buffer.alloc(16384);
      ({ offset, length, position } = options);
    } else if (offset !== null && typeof offset === 'object') {
      ({ offset, length, position } = offset);
    }
    const bytesRead = await run(this, fs.read, buffer, offset ?? 0,
      length ?? buffer.byteLength - (offset ?? 0), position ?? null);
    return { __proto__: null, bytesRead, buffer };
  }

  async write(buffer, ...rest) {
    const bytesWritten = await run(this, fs.write, buffer, ...rest);
    return { __proto__: null, bytesWritten, buffer };
  }

  async readv(buffers, position) {
    const bytesRead = await run(this, fs.readv, buffers, position ?? null);
    return { __proto__: null, bytesRead, buffers };
  }

  async writev(buffers, position) {
    const bytesWritten = await run(this, fs.writev, buffers, position ?? null);
    return { __proto__: null, bytesWritten, buffers };
  }

  async #during(work) {
    this.#busy++;
    try {
      return await work;
    } finally {
      this.#busy--;
    }
  }

  readFile(options) { return during(this, readFile, options); }

  writeFile(data, options) { return during(this, writeFile, data, options); }

  appendFile(data, options) { return during(this, writeFile, data, options); }

  stat(options) { return run(this, fs.fstat, options); }

  truncate(length = 0) { return run(this, fs.ftruncate, length); }

  chmod(mode) { return run(this, fs.fchmod, mode); }

  chown(uid, gid) { return run(this, fs.fchown, uid, gid); }

  sync() { return run(this, fs.fsync); }

  datasync() { return run(this, fs.fdatasync); }

  utimes(atime, mtime) { return run(this, fs.futimes, atime, mtime); }

  async* readLines(options) {
    const { createInterface } = require('readline');
    yield* createInterface({ input: this.createReadStream(options), crlfDelay: Infinity });
  }

  readableWebStream(options = {}) {
    const isClosed = this.#fd === -1 || this.#closing !== undefined;
    if (isClosed || this.#isLocked) {
      throw withCode(Error, 'ERR_INVALID_STATE',
        `Invalid state: The FileHandle is ${isClosed ? 'closed' : 'locked'}`);
    }
    this.#isLocked = true;
    this.#busy++;
    return require('internal/fs/web').readableOf(this, options.type);
  }

  createReadStream(options) { return fs.createReadStream('', { ...options, fd: this }); }

  createWriteStream(options) { return fs.createWriteStream('', { ...options, fd: this }); }

  #close() {
    return new Promise((resolve, reject) => {
      ids.promised(() => fs.close(this.#fd, (error) => (error ? reject(error) : resolve())));
    });
  }

  close() {
    if (this.#fd === -1) return Promise.resolve();
    if (this.#closing === undefined) {
      lost.unregister(this);
      this.#closing = this.#close().finally(() => {
        this.#fd = -1;
        if (this.#work !== undefined) ids.destroyed(this.#work);
      });
      this.emit('close');
    }
    return this.#closing;
  }

  async [Symbol.asyncDispose || Symbol.for('asyncDispose')]() { await this.close(); }
}

async function open(name, flags, mode) {
  return promised((done) => ids.promised(() => fs.open(name, flags ?? 'r', mode,
    (error, fd) => done(error, error ? undefined : new FileHandle(fd)))));
}

function checkAbort(signal) {
  validateAbortSignal(signal, 'options.signal');
  if (signal && signal.aborted) throw new AbortError(undefined, { cause: signal.reason });
}

// Closes the handle behind the work. Two failures are told as one.
async function andClose(handle, work) {
  let result;
  try {
    result = await work(handle);
  } catch (error) {
    let second;
    try {
      await handle.close();
    } catch (closing) {
      second = closing;
    }
    throw aggregateTwo(second, error);
  }
  await handle.close();
  return result;
}

const LONGEST = 2 ** 31 - 1; // bytes of a file that is read at once
const promisedStat = promisify(fs.fstat);

async function readAll(fd, signal) {
  const chunks = [];
  const read = promisify(native.read);
  for (;;) {
    checkAbort(signal);
    const chunk = Buffer.allocUnsafe(65536);
    const count = await read(fd, chunk, 0, chunk.length, -1);
    checkAbort(signal);
    if (count === 0) return Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, count));
  }
}

async function readFile(name, options) {
  options = util.toOptions(options, { flag: 'r' });
  checkAbort(options.signal);
  const { encoding } = options;
  let data;
  if (name !== null && typeof name === 'object' && typeof name.fd === 'number') {
    const { size } = await promisedStat(name.fd);
    checkAbort(options.signal);
    if (size > LONGEST) {
      throw withCode(RangeError, 'ERR_FS_FILE_TOO_LARGE',
        `File size (${size}) is greater than 2 GiB`);
    }
    data = await readAll(name.fd, options.signal);
  } else {
    data = await promised((done) =>
      native.readFile(util.toPath(name), false, util.toFlags(options.flag), done));
    checkAbort(options.signal);
  }
  return encoding && encoding !== 'buffer' ? data.toString(encoding) : data;
}

const PIECE = 512 * 1024; // between two looks at the signal

async function writeAll(handle, data, encoding, signal) {
  if (typeof data === 'string' || ArrayBuffer.isView(data)) {
    const bytes = util.toBytes(data, encoding);
    for (let at = 0; at < bytes.byteLength;) {
      checkAbort(signal);
      const length = Math.min(bytes.byteLength - at, PIECE);
      const { bytesWritten } = await handle.write(bytes, at, length, null);
      at += bytesWritten;
      checkAbort(signal);
    }
    return;
  }
  if (data && (data[Symbol.asyncIterator] || data[Symbol.iterator])) {
    for await (const part of data) {
      checkAbort(signal);
      await writeAll(handle, part, encoding, signal);
    }
    return;
  }
  util.toBytes(data, encoding);
}

function isIterable(data) {
  return data !== null && typeof data === 'object' &&
    Boolean(data[Symbol.asyncIterator] || data[Symbol.iterator]);
}

async function writeFile(name, data, options) {
  options = util.toOptions(options, { flag: 'w', mode: 0o666 });
  const { flush } = options;
  if (flush !== undefined && flush !== null) validateBoolean(flush, 'options.flush');
  if (!isIterable(data)) util.toBytes(data, options.encoding);
  checkAbort(options.signal);
  if (name instanceof FileHandle) {
    await writeAll(name, data, options.encoding, options.signal);
    return;
  }
  await andClose(await open(name, options.flag, options.mode), async (handle) => {
    checkAbort(options.signal);
    await writeAll(handle, data, options.encoding, options.signal);
    if (flush) await handle.sync();
  });
}

async function readdir(name, options) {
  options = util.toOptions(options, {});
  const folder = util.toPath(name);
  const list = (at, how) => new Promise((resolve, reject) => {
    native.scandir(at, (error, found) => {
      if (error) reject(error);
      else {
        util.fromDirectoryLater(found, at, how, (why, made) => (why ? reject(why) : resolve(made)));
      }
    }, util.wantsBytes(how.encoding));
  });
  if (!options.recursive) return list(folder, options);
  const out = [];
  const waiting = [[folder, '']];
  while (waiting.length > 0) {
    const [at, prefix] = waiting.shift();
    for (const entry of await list(at, { withFileTypes: true })) {
      const relative = prefix ? `${prefix}/${entry.name}` : entry.name;
      out.push(options.withFileTypes ? entry : relative);
      if (entry.isDirectory()) waiting.push([`${at}/${entry.name}`, relative]);
    }
  }
  return out;
}

Object.assign(exports, {
  open,
  readFile,
  writeFile,
  readdir,
  constants: util.constants,
  appendFile: async function appendFile(name, data, options) {
    options = util.toOptions(options, {});
    return writeFile(name, data, { ...options, flag: options.flag ?? 'a' });
  },
  truncate: async function truncate(name, length = 0) {
    await andClose(await open(name, 'r+'), (handle) => handle.truncate(length));
  },
  lchmod: async () => {
    throw withCode(Error, 'ERR_METHOD_NOT_IMPLEMENTED', 'The lchmod() method is not implemented');
  },
  watch: (...args) => require('internal/fs/watch').watchIterator(...args),
  FileHandle,
});
