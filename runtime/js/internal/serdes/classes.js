'use strict';
// v8.Serializer and v8.Deserializer, and those that know the views of Node's.

const { Writer } = require('internal/serdes/writer');
const { Reader } = require('internal/serdes/reader');
const native = binding('clones');

const TYPES = ['Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array',
  'Int32Array', 'Uint32Array', 'Float32Array', 'Float64Array', 'DataView', 'Buffer',
  'BigInt64Array', 'BigUint64Array'];
const BUFFER = TYPES.indexOf('Buffer');
const NOT_PLAIN = Symbol('not plain'); // what asks the program is written and read here

const writers = new WeakMap();
const readers = new WeakMap();

function stateOf(states, self) {
  const state = states.get(self);
  if (state === undefined) throw new TypeError('Illegal invocation');
  return state;
}

// Errors with a code that their text does not show.
function wrongType(code, message) {
  return Object.assign(new TypeError(message), { code });
}

function needsNew(name) {
  return wrongType('ERR_CONSTRUCT_CALL_REQUIRED',
    `Class constructor ${name} cannot be invoked without 'new'`);
}

function checkView(value, name) {
  if (ArrayBuffer.isView(value)) return;
  throw wrongType('ERR_INVALID_ARG_TYPE', `${name} must be a TypedArray or a DataView`);
}

const bytesOf = (view) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

function Serializer() {
  if (new.target === undefined) throw needsNew('Serializer');
  writers.set(this, new Writer(this));
}

Object.assign(Serializer.prototype, {
  writeHeader() { stateOf(writers, this).header(); },
  writeValue(value) {
    stateOf(writers, this).value(value);
    return true;
  },
  releaseBuffer() { return stateOf(writers, this).release(); },
  transferArrayBuffer(id, arrayBuffer) {
    if (!(arrayBuffer instanceof ArrayBuffer)) {
      throw wrongType('ERR_INVALID_ARG_TYPE', 'arrayBuffer must be an ArrayBuffer');
    }
    stateOf(writers, this).transfer(arrayBuffer, id >>> 0);
  },
  writeUint32(value) { stateOf(writers, this).varint(value >>> 0); },
  writeUint64(high, low) { stateOf(writers, this).varint64(high, low); },
  writeDouble(value) { stateOf(writers, this).double(Number(value)); },
  writeRawBytes(source) {
    checkView(source, 'source');
    stateOf(writers, this).raw(bytesOf(source));
  },
  _setTreatArrayBufferViewsAsHostObjects(mode) {
    stateOf(writers, this).viewsAreOutside = Boolean(mode);
  },
});
Object.defineProperty(Serializer.prototype, '_getDataCloneError',
  { value: Error, writable: true, enumerable: true, configurable: true });

function failed(name) { return new Error(`${name}() failed`); }

function read(self, method, name, ...args) {
  const found = stateOf(readers, self)[method](...args);
  if (found === undefined) throw failed(name);
  return found;
}

function Deserializer(buffer) {
  if (new.target === undefined) throw needsNew('Deserializer');
  checkView(buffer, 'buffer');
  readers.set(this, new Reader(this, buffer));
  this.buffer = buffer;
}

Object.assign(Deserializer.prototype, {
  readHeader() { return stateOf(readers, this).header(); },
  readValue() { return stateOf(readers, this).value(); },
  getWireFormatVersion() { return stateOf(readers, this).version; },
  transferArrayBuffer(id, arrayBuffer) {
    if (!(arrayBuffer instanceof ArrayBuffer) && !(arrayBuffer instanceof SharedArrayBuffer)) {
      throw wrongType('ERR_INVALID_ARG_TYPE',
        'arrayBuffer must be an ArrayBuffer or SharedArrayBuffer');
    }
    stateOf(readers, this).transfer(arrayBuffer, id >>> 0);
  },
  readUint32() { return read(this, 'varint', 'ReadUint32'); },
  readUint64() { return read(this, 'varint64', 'ReadUint64'); },
  readDouble() { return read(this, 'double', 'ReadDouble'); },
  _readRawBytes(length) { return read(this, 'raw', 'ReadRawBytes', toLength(length)); },
  readRawBytes(length) {
    const at = this._readRawBytes(length);
    return Buffer.from(this.buffer.buffer, this.buffer.byteOffset + at, toLength(length));
  },
});

function toLength(value) {
  const length = Math.trunc(Number(value));
  return length > 0 ? length : 0;
}

class DefaultSerializer extends Serializer {
  constructor() {
    super();
    this._setTreatArrayBufferViewsAsHostObjects(true);
  }

  // The kind of view, its size, its bytes.
  _writeHostObject(view) {
    const kind = kindOf(view);
    if (kind === -1) {
      throw new this._getDataCloneError(
        `Unserializable host object: ${require('internal/inspect/inspect').inspect(view)}`);
    }
    const bytes = bytesOf(view);
    this.writeUint32(kind);
    this.writeUint32(bytes.length);
    this.writeRawBytes(bytes);
  }
}

function kindOf(view) {
  if (!ArrayBuffer.isView(view)) return -1;
  if (view instanceof Buffer) return BUFFER;
  return TYPES.indexOf(binding('util').className(view));
}

class DefaultDeserializer extends Deserializer {
  _readHostObject() {
    const name = TYPES[this.readUint32()];
    const Type = name === undefined ? undefined : globalThis[name];
    const length = this.readUint32();
    const at = this._readRawBytes(length);
    const width = Type.BYTES_PER_ELEMENT ?? 1;
    const { buffer } = this.buffer;
    const offset = this.buffer.byteOffset + at;
    if (Type === Buffer) return Buffer.from(buffer, offset, length);
    const size = Math.floor(length / width);
    if (offset % width === 0) return new Type(buffer, offset, size);
    return new Type(buffer.slice(offset, offset + length), 0, size);
  }
}

function writeWith(serializer, value) {
  serializer.writeHeader();
  serializer.writeValue(value);
  return serializer.releaseBuffer();
}

function readWith(deserializer) {
  deserializer.readHeader();
  return deserializer.readValue();
}

function serialize(value) {
  return native.serialize(value) ?? writeWith(new DefaultSerializer(), value);
}

function deserialize(buffer) {
  checkView(buffer, 'buffer');
  const value = native.deserialize(buffer, NOT_PLAIN);
  return value === NOT_PLAIN ? readWith(new DefaultDeserializer(buffer)) : value;
}

module.exports = { Serializer, Deserializer, DefaultSerializer, DefaultDeserializer, serialize,
  deserialize, writeWith, readWith };
