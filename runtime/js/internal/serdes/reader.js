'use strict';
// Values from bytes in V8's format, versions 13 to 15.

const OLDEST = 13;
const NEWEST = 15;
const REGEXP_FLAGS = [[1, 'g'], [2, 'i'], [4, 'm'], [8, 'y'], [16, 'u'], [32, 's'], [128, 'd'],
  [256, 'v']];
const ERRORS = { E: EvalError, R: RangeError, F: ReferenceError, S: SyntaxError, T: TypeError,
  U: URIError };
const VIEWS = { b: Int8Array, B: Uint8Array, C: Uint8ClampedArray, w: Int16Array, W: Uint16Array,
  d: Int32Array, D: Uint32Array, f: Float32Array, F: Float64Array, q: BigInt64Array,
  Q: BigUint64Array, '?': DataView };
const HOLE = Symbol('hole');

const wrong = () => new Error('Unable to deserialize cloned data.');

function setOwn(object, key, value) {
  Object.defineProperty(object, key,
    { value, writable: true, enumerable: true, configurable: true });
}

function setHidden(object, key, value) {
  Object.defineProperty(object, key,
    { value, writable: true, enumerable: false, configurable: true });
}

// A view that does not fit its buffer is wrong data, not a wrong argument.
function viewOf(Type, buffer, offset, size, flags) {
  const isTracking = (flags & 1) !== 0;
  const width = Type.BYTES_PER_ELEMENT ?? 1;
  if (isTracking && !buffer.resizable && !buffer.growable) throw wrong();
  if (offset % width !== 0 || size % width !== 0) throw wrong();
  if (offset + size > buffer.byteLength) throw wrong();
  return isTracking ? new Type(buffer, offset) : new Type(buffer, offset, size / width);
}

class Reader {
  #owner;
  #bytes;
  #view;
  #at = 0;
  #objects = [];
  #transferred = new Map();
  version = 0;

  constructor(owner, bytes) {
    this.#owner = owner;
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  header() {
    if (this.#bytes[0] === 0xff) {
      this.#at = 1;
      this.version = this.varint() ?? 0;
    }
    if (this.version >= OLDEST && this.version <= NEWEST) return true;
    throw new Error(
      'Unable to deserialize cloned data due to invalid or unsupported version.');
  }

  transfer(buffer, id) { this.#transferred.set(id, buffer); }

  #byte() {
    if (this.#at >= this.#bytes.length) throw wrong();
    return this.#bytes[this.#at++];
  }

  // 32 bits; undefined at the end. What is longer is cut.
  varint() {
    let number = 0;
    for (let shift = 0; this.#at < this.#bytes.length; shift += 7) {
      const byte = this.#bytes[this.#at++];
      if (shift < 32) number = (number | (byte & 127) << shift) >>> 0;
      if (byte < 128) return number;
    }
    return undefined;
  }

  // [high, low]; undefined at the end.
  varint64() {
    let number = 0n;
    for (let shift = 0n; this.#at < this.#bytes.length; shift += 7n) {
      const byte = this.#bytes[this.#at++];
      if (shift < 64n) number |= BigInt(byte & 127) << shift;
      if (byte < 128) return [Number(number >> 32n & 0xffffffffn), Number(number & 0xffffffffn)];
    }
    return undefined;
  }

  double() {
    if (this.#at + 8 > this.#bytes.length) return undefined;
    this.#at += 8;
    const number = this.#view.getFloat64(this.#at - 8, true);
    return Number.isNaN(number) ? NaN : number; // V8 knows one NaN alone
  }

  // Where so many bytes begin, which are read; undefined if there are fewer.
  raw(length) {
    const at = this.#at;
    if (length > this.#bytes.length - at) return undefined;
    this.#at += length;
    return at;
  }

  #size() {
    const size = this.varint();
    if (size === undefined) throw wrong();
    return size;
  }

  #needed(value) {
    if (value === undefined) throw wrong();
    return value;
  }

  #take(length) {
    const at = this.#needed(this.raw(length));
    return this.#bytes.subarray(at, at + length);
  }

  #tag() {
    let byte;
    do byte = this.#byte(); while (byte === 0);
    return String.fromCharCode(byte);
  }

  // Reads a tag if it is the next.
  #ends(tag) {
    const bytes = this.#bytes;
    let at = this.#at;
    while (bytes[at] === 0) at++;
    if (bytes[at] !== tag.charCodeAt(0)) return false;
    this.#at = at + 1;
    return true;
  }

  // Objects are known by the number of their turn, which they take before what is in them.
  #keep(object) {
    this.#objects.push(object);
    return object;
  }

  value() {
    const value = this.#any();
    if (typeof value !== 'object' || value === null) {
      if (value === HOLE) throw wrong();
      return value;
    }
    const isBuffer = value instanceof ArrayBuffer || value instanceof SharedArrayBuffer;
    return isBuffer && this.#ends('V') ? this.#arrayView(value) : value;
  }

  #any() {
    const tag = this.#tag();
    switch (tag) {
      case '?':
        this.#size();
        return this.#any();
      case '_': return undefined;
      case '0': return null;
      case 'T': return true;
      case 'F': return false;
      case 'I': {
        const number = this.#size();
        return number >>> 1 ^ -(number & 1);
      }
      case 'U': return this.#size();
      case 'N': return this.#needed(this.double());
      case 'Z': return this.#bigint();
      case '-': return HOLE;
      case '"': case 'c': case 'S': return this.#text(tag);
      case '^': {
        const id = this.#size();
        return this.#needed(this.#objects[id]);
      }
      default: return this.#object(tag);
    }
  }

  #object(tag) {
    switch (tag) {
      case 'o': return this.#plain();
      case 'A': return this.#dense();
      case 'a': return this.#sparse();
      case 'D': return this.#keep(new Date(this.#needed(this.double())));
      case 'y': return this.#keep(Object(true));
      case 'x': return this.#keep(Object(false));
      case 'n': return this.#keep(Object(this.#needed(this.double())));
      case 'z': return this.#keep(Object(this.#bigint()));
      case 's': return this.#keep(Object(this.#string()));
      case 'R': return this.#regExp();
      case ';': return this.#map();
      case "'": return this.#set();
      case 'B': case '~': return this.#buffer(tag === '~');
      case 't': case 'u': return this.#moved(tag === 'u');
      case 'r': return this.#error();
      case '\\': return this.#outside();
      default: throw wrong();
    }
  }

  #text(tag) {
    const length = this.#size();
    if (tag === 'c' && length % 2 === 1) throw wrong();
    const at = this.#needed(this.raw(length));
    if (tag === '"') return this.#bytes.latin1Slice(at, at + length);
    return tag === 'c' ? this.#bytes.ucs2Slice(at, at + length)
      : this.#bytes.utf8Slice(at, at + length);
  }

  #string() {
    const tag = this.#tag();
    if (tag !== '"' && tag !== 'c' && tag !== 'S') throw wrong();
    return this.#text(tag);
  }

  #bigint() {
    const field = this.#size();
    const size = Math.floor(field / 2);
    if (size === 0) {
      if (field === 1) throw wrong();
      return 0n;
    }
    const number = BigInt(`0x${Buffer.from(this.#take(size)).reverse().hexSlice()}`);
    return field % 2 === 1 ? -number : number;
  }

  // Reads properties up to the tag; how many.
  #properties(object, end) {
    let count = 0;
    for (; !this.#ends(end); count++) {
      const key = this.#any();
      if (typeof key !== 'string' && typeof key !== 'number') throw wrong();
      const value = this.value();
      if (key === '__proto__' || Array.isArray(object)) setOwn(object, key, value);
      else object[key] = value;
    }
    return count;
  }

  #plain() {
    const object = this.#keep({});
    if (this.#properties(object, '{') !== this.#size()) throw wrong();
    return object;
  }

  #ended(array, count) {
    if (count !== this.#size() || array.length !== this.#size()) throw wrong();
    return array;
  }

  #dense() {
    const length = this.#size();
    if (length > this.#bytes.length - this.#at) throw wrong();
    const array = this.#keep(new Array(length));
    for (let i = 0; i < length; i++) {
      if (!this.#ends('-')) array[i] = this.value();
    }
    return this.#ended(array, this.#properties(array, '$'));
  }

  #sparse() {
    const array = this.#keep(new Array(this.#size()));
    return this.#ended(array, this.#properties(array, '@'));
  }

  #regExp() {
    const id = this.#objects.push(undefined) - 1;
    const source = this.#string();
    let rest = this.#size();
    let flags = '';
    for (const [bit, letter] of REGEXP_FLAGS) {
      if ((rest & bit) !== 0) flags += letter;
      rest &= ~bit;
    }
    if (rest !== 0) throw wrong();
    return this.#objects[id] = new RegExp(source, flags);
  }

  #map() {
    const map = this.#keep(new Map());
    let count = 0;
    for (; !this.#ends(':'); count += 2) map.set(this.value(), this.value());
    if (count !== this.#size()) throw wrong();
    return map;
  }

  #set() {
    const set = this.#keep(new Set());
    let count = 0;
    for (; !this.#ends(','); count++) set.add(this.value());
    if (count !== this.#size()) throw wrong();
    return set;
  }

  #buffer(isResizable) {
    const length = this.#size();
    const most = isResizable ? this.#size() : length;
    if (most < length) throw wrong();
    const bytes = this.#take(length);
    const buffer = isResizable ? new ArrayBuffer(length, { maxByteLength: most })
      : new ArrayBuffer(length);
    new Uint8Array(buffer).set(bytes);
    return this.#keep(buffer);
  }

  #moved(isShared) {
    const id = this.#size();
    if (!isShared) return this.#keep(this.#needed(this.#transferred.get(id)));
    const find = this.#owner._getSharedArrayBufferFromId;
    const found = typeof find === 'function' ? find.call(this.#owner, id) : undefined;
    if (!(found instanceof SharedArrayBuffer)) throw wrong();
    return this.#keep(found);
  }

  #arrayView(buffer) {
    const Type = VIEWS[String.fromCharCode(this.#byte())];
    const offset = this.#size();
    const size = this.#size();
    const flags = this.version >= 14 ? this.#size() : 0;
    if (Type === undefined || flags > 3) throw wrong();
    return this.#keep(viewOf(Type, buffer, offset, size, flags));
  }

  #error() {
    const id = this.#objects.push(undefined) - 1;
    let Type = Error;
    const found = {};
    for (let tag; (tag = this.#tag()) !== '.';) {
      if (tag === 'm') found.message = this.#string();
      else if (tag === 's') found.stack = this.#string();
      else if (tag === 'c') found.cause = this.value();
      else Type = this.#needed(ERRORS[tag]);
    }
    const error = new Type();
    setHidden(error, 'stack', found.stack);
    if (found.message !== undefined) setHidden(error, 'message', found.message);
    if (Object.hasOwn(found, 'cause')) setHidden(error, 'cause', found.cause);
    return this.#objects[id] = error;
  }

  #outside() {
    const read = this.#owner._readHostObject;
    if (typeof read !== 'function') throw wrong();
    const id = this.#objects.push(undefined) - 1;
    const object = read.call(this.#owner);
    if (object === null || (typeof object !== 'object' && typeof object !== 'function')) {
      throw new TypeError('readHostObject must return an object');
    }
    return this.#objects[id] = object;
  }
}

module.exports = { Reader };
