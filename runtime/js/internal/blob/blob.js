'use strict';
// Blob and File: bytes that do not change.

const { invalidArgType, invalidArgValue, withCode } = require('internal/errors/errors');

const bytesOf = Symbol('bytes');
const sourceOf = Symbol('source');
const MOST = 4294967296;

function partOf(part, endings) {
  if (part instanceof Blob) return part[bytesOf];
  if (part instanceof ArrayBuffer || part instanceof SharedArrayBuffer)
    return Buffer.from(new Uint8Array(part));
  if (ArrayBuffer.isView(part))
    return Buffer.from(Buffer.from(part.buffer, part.byteOffset, part.byteLength));
  return Buffer.from(endings === 'native' ? `${part}`.replace(/\r\n?/g, '\n') : `${part}`);
}

class Blob {
  constructor(parts = [], options = {}) {
    if (parts === null || typeof parts !== 'object' || typeof parts[Symbol.iterator] !== 'function')
      throw invalidArgType('sources', 'a sequence', parts);
    const { endings = 'transparent' } = options ?? {};
    if (endings !== 'transparent' && endings !== 'native')
      throw invalidArgValue('options.endings', endings);
    const pieces = [...parts].map((part) => partOf(part, endings));
    if (pieces.reduce((sum, piece) => sum + piece.length, 0) > MOST) {
      throw withCode(RangeError, 'ERR_BUFFER_TOO_LARGE',
        `Cannot create a Buffer larger than ${MOST} bytes`);
    }
    const bytes = Buffer.concat(pieces);
    Object.defineProperty(this, bytesOf, { value: bytes, configurable: true });
    const type = `${options?.type ?? ''}`;
    Object.defineProperty(this, 'mediaType',
      { value: /[^\x20-\x7e]/.test(type) ? '' : type.toLowerCase() });
  }

  get size() { return this[sourceOf]?.size ?? this[bytesOf].length; }

  get type() { return this.mediaType; }

  slice(start, end, type = '') {
    const source = this[sourceOf]?.slice(start, end);
    return source === undefined ? new Blob([this[bytesOf].subarray(start, end)], { type })
      : fromSource(source, type);
  }

  async arrayBuffer() { return (await this.bytes()).buffer; }

  async bytes() { return new Uint8Array(await this[sourceOf]?.read() ?? this[bytesOf]); }

  async text() { return (await this[sourceOf]?.read() ?? this[bytesOf]).toString(); }

  stream() {
    if (this[sourceOf] !== undefined) return this[sourceOf].stream();
    let at = 0;
    const bytes = this[bytesOf];
    return new ReadableStream({
      pull(controller) {
        if (at < bytes.length) controller.enqueue(new Uint8Array(bytes.subarray(at, at += 65536)));
        if (at >= bytes.length) controller.close();
      },
    }, { highWaterMark: 0 });
  }

  [Symbol.for('nodejs.util.inspect.custom')](depth, options, inspect) {
    if (depth < 0) return '[Blob]';
    return `Blob ${inspect({ size: this.size, type: this.type }, options)}`;
  }
}

// A blob whose bytes are elsewhere (internal/blob_file).
function fromSource(source, type) {
  const blob = new Blob([], { type });
  Object.defineProperty(blob, sourceOf, { value: source });
  Object.defineProperty(blob, bytesOf, { get: () => source.readSync() });
  return blob;
}

class File extends Blob {
  #name;
  #lastModified;

  constructor(parts, name, options = undefined) {
    if (arguments.length < 2) {
      throw withCode(TypeError, 'ERR_MISSING_ARGS',
        'The "fileBits" and "fileName" arguments must be specified');
    }
    super(parts, options ?? {});
    const { lastModified } = options ?? {};
    this.#name = `${name}`.toWellFormed();
    this.#lastModified = lastModified === undefined ? Date.now() : +lastModified || 0;
  }

  get name() {
    checkFile(#name in this);
    return this.#name;
  }

  get lastModified() {
    checkFile(#name in this);
    return this.#lastModified;
  }

  [Symbol.for('nodejs.util.inspect.custom')](depth, options, inspect) {
    if (depth < 0) return '[File]';
    return `File ${inspect({ size: this.size, type: this.type, name: this.#name,
      lastModified: this.#lastModified }, options)}`;
  }
}

function checkFile(isOne) {
  if (!isOne) throw withCode(TypeError, 'ERR_INVALID_THIS', 'Value of "this" must be of type File');
}

for (const name of ['name', 'lastModified']) {
  const own = Object.getOwnPropertyDescriptor(File.prototype, name);
  Object.defineProperty(File.prototype, name, { ...own, enumerable: true });
}

for (const name of ['size', 'type', 'slice', 'stream', 'text', 'arrayBuffer', 'bytes']) {
  Object.defineProperty(Blob.prototype, name, { enumerable: true });
}
for (const Class of [Blob, File]) {
  Object.defineProperty(Class.prototype, Symbol.toStringTag,
    { value: Class.name, configurable: true });
}

module.exports = { Blob, File, fromSource };
