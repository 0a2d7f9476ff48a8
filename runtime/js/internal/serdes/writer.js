'use strict';
// Values as bytes in V8's format, version 15. What is no value of the language is left to the
// owner (v8.Serializer), which writes it with the methods below.

const native = binding('util');
const { describe } = require('internal/messages/clone');
const kinds = require('internal/crypto/kinds');
const { isPort } = require('internal/messages/transfer');
const { kClone, kTransfer } = require('internal/messages/transfer_symbols');

const VERSION = 15;
const REGEXP_FLAGS = { g: 1, i: 2, m: 4, y: 8, u: 16, s: 32, d: 128, v: 256 };
const ERROR_TAGS = { EvalError: 'E', RangeError: 'R', ReferenceError: 'F', SyntaxError: 'S',
  TypeError: 'T', URIError: 'U' };
const VIEW_TAGS = { Int8Array: 'b', Uint8Array: 'B', Uint8ClampedArray: 'C', Int16Array: 'w',
  Uint16Array: 'W', Int32Array: 'd', Uint32Array: 'D', Float32Array: 'f', Float64Array: 'F',
  BigInt64Array: 'q', BigUint64Array: 'Q', DataView: '?' };
const LAST_INDEX = 4294967294;
const SHORT = 24; // characters that are written one by one
// Objects of these classes are their own properties.
const PLAIN = new Set(['Object', 'Timeout', 'Immediate', 'Work']);
// Classes of the runtime, whose objects hold what is outside of the language.
const OUTSIDE = new Set(['Handle', 'Box', 'HTTPParser']);
const dateValue = Date.prototype.getTime;

function isOutside(value, name) {
  return OUTSIDE.has(name) || kClone in value || kTransfer in value || isPort(value) ||
    kinds.pack(value) !== undefined;
}

// The number that a name of a property is, if it is an index; else undefined.
function indexOf(key) {
  const c = key.charCodeAt(0);
  if (!(c >= 48 && c <= 57) || key.length > 10) return undefined;
  const number = Number(key);
  const isIndex = Number.isInteger(number) && number <= LAST_INDEX && String(number) === key;
  return isIndex ? number : undefined;
}

const HOLES = 0;
const VALUES = 1;
const DOUBLES = 2;

// How V8 keeps the elements: not all there, values, or numbers that are not all small.
function elementsOf(array) {
  const { length } = array;
  let numbers = true;
  let doubles = false;
  for (let i = 0; i < length; i++) {
    const one = array[i];
    if (typeof one === 'number') {
      if (numbers && ((one | 0) !== one || Object.is(one, -0))) doubles = true;
    } else {
      if (one === undefined && !Object.hasOwn(array, i)) return HOLES;
      numbers = false;
    }
  }
  return numbers && doubles ? DOUBLES : VALUES;
}

class Writer {
  #owner;
  #bytes;
  #view;
  #size; // of what there is room for
  #at = 0;
  #ids = new Map();
  #transferred = new Map();
  viewsAreOutside = false;

  constructor(owner) {
    this.#owner = owner;
    this.#start();
  }

  #start() {
    this.#size = 64;
    this.#bytes = Buffer.allocUnsafeSlow(this.#size);
    this.#view = new DataView(this.#bytes.buffer);
    this.#at = 0;
  }

  release() {
    const bytes = Buffer.from(this.#bytes.buffer.slice(0, this.#at));
    this.#start();
    return bytes;
  }

  transfer(buffer, id) { this.#transferred.set(buffer, id); }

  #grow(needed) {
    this.#size = Math.max(needed, this.#size * 2);
    const larger = Buffer.allocUnsafeSlow(this.#size);
    larger.set(this.#bytes.subarray(0, this.#at));
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }

  // Makes room; the place where to write.
  #room(length) {
    const at = this.#at;
    if (at + length > this.#size) this.#grow(at + length);
    this.#at += length;
    return at;
  }

  #byte(byte) {
    if (this.#at === this.#size) this.#grow(this.#at + 1);
    this.#bytes[this.#at++] = byte;
  }

  #tag(tag) { this.#byte(tag.charCodeAt(0)); }

  header() {
    const at = this.#room(2);
    this.#bytes[at] = 0xff;
    this.#bytes[at + 1] = VERSION;
  }

  varint(number) {
    while (number >= 128) {
      this.#byte(number % 128 + 128);
      number = Math.floor(number / 128);
    }
    this.#byte(number);
  }

  // Two halves of 32 bits.
  varint64(high, low) {
    let number = BigInt(high >>> 0) << 32n | BigInt(low >>> 0);
    for (; number >= 128n; number >>= 7n) this.#byte(Number(number & 127n) | 128);
    this.#byte(Number(number));
  }

  double(number) {
    const at = this.#room(8);
    this.#view.setFloat64(at, number, true);
  }

  raw(bytes) {
    const at = this.#room(bytes.length);
    this.#bytes.set(bytes, at);
  }

  #int(number) {
    this.#tag('I');
    this.varint((number << 1 ^ number >> 31) >>> 0);
  }

  #number(number) {
    if ((number | 0) === number && !Object.is(number, -0)) this.#int(number);
    else {
      this.#tag('N');
      this.double(number);
    }
  }

  // Small letters take a byte each, others two at an even place.
  #text(text) {
    const start = this.#at;
    const { length } = text;
    this.#tag('"');
    this.varint(length);
    const at = this.#room(length);
    if (length < SHORT) {
      let i = 0;
      for (let c; i < length && (c = text.charCodeAt(i)) < 256; i++) this.#bytes[at + i] = c;
      if (i === length) return;
    } else {
      this.#bytes.latin1Write(text, at, length);
      if (this.#bytes.latin1Slice(at, at + length) === text) return;
    }
    this.#at = start;
    this.#wideText(text);
  }

  #wideText(text) {
    const size = text.length * 2;
    let sizeLength = 1;
    for (let rest = size; rest >= 128; rest = Math.floor(rest / 128)) sizeLength++;
    if ((this.#at + 1 + sizeLength) % 2 === 1) this.#byte(0);
    this.#tag('c');
    this.varint(size);
    const at = this.#room(size);
    this.#bytes.ucs2Write(text, at, size);
  }

  // Sign and size, then groups of eight bytes from the lowest.
  #bigint(number) {
    const isNegative = number < 0n;
    if (number === 0n) return this.varint(0);
    const hex = (isNegative ? -number : number).toString(16);
    const size = Math.ceil(hex.length / 16) * 8;
    this.varint(size * 2 + (isNegative ? 1 : 0));
    this.raw(Buffer.from(hex.padStart(size * 2, '0'), 'hex').reverse());
  }

  refuse(text) {
    const make = this.#owner._getDataCloneError;
    throw typeof make === 'function' ? make.call(this.#owner, text) : new Error(text);
  }

  #refuseValue(value) { this.refuse(`${describe(value)} could not be cloned.`); }

  value(value) {
    switch (typeof value) {
      case 'number': return this.#number(value);
      case 'string': return this.#text(value);
      case 'boolean': return this.#tag(value ? 'T' : 'F');
      case 'undefined': return this.#tag('_');
      case 'bigint':
        this.#tag('Z');
        return this.#bigint(value);
      case 'object': return value === null ? this.#tag('0') : this.#object(value);
      default: return this.#refuseValue(value);
    }
  }

  #object(value) {
    const { viewsAreOutside } = this;
    const isView = ArrayBuffer.isView(value);
    // A view comes behind its buffer.
    if (isView && !viewsAreOutside && !this.#ids.has(value)) this.#object(value.buffer);
    const known = this.#ids.get(value);
    if (known !== undefined) {
      this.#tag('^');
      return this.varint(known);
    }
    this.#ids.set(value, this.#ids.size);
    if (value === process.env) return this.#outside(value);
    if (isView) return viewsAreOutside ? this.#outside(value) : this.#arrayView(value);
    const name = native.className(value);
    if (PLAIN.has(name)) {
      if (isOutside(value, name)) return this.#outside(value);
      return value === globalThis ? this.#refuseValue(value) : this.#plain(value);
    }
    if (Array.isArray(value) && name !== 'Proxy') return this.#array(value);
    return this.#ofClass(value, name);
  }

  #ofClass(value, name) {
    switch (name) {
      case 'Map': return this.#map(value);
      case 'Set': return this.#set(value);
      case 'Date':
        this.#tag('D');
        return this.double(dateValue.call(value));
      case 'RegExp': return this.#regExp(value);
      case 'ArrayBuffer': return this.#buffer(value);
      case 'SharedArrayBuffer': return this.#shared(value);
      case 'Boolean': case 'Number': case 'String': case 'BigInt':
        return this.#wrapped(value, name);
      case 'Proxy': return this.#refuseValue(value);
      default: break;
    }
    if (native.isError(value)) {
      const { DOMException } = require('internal/errors/dom_exception');
      return value instanceof DOMException ? this.#plain(value) : this.#error(value);
    }
    return isOutside(value, name) ? this.#outside(value) : this.#refuseValue(value);
  }

  #key(key) {
    const index = indexOf(key);
    if (index === undefined) this.#text(key);
    else this.#number(index);
  }

  // Writes properties, all but those that are gone by then; how many.
  #properties(object, keys) {
    let count = 0;
    for (const key of keys) {
      const value = object[key];
      if (value === undefined && !Object.hasOwn(object, key)) continue;
      this.#key(key);
      this.value(value);
      count++;
    }
    return count;
  }

  #plain(object) {
    this.#tag('o');
    const count = this.#properties(object, Object.keys(object));
    this.#tag('{');
    this.varint(count);
  }

  #array(array) {
    const { length } = array;
    const elements = elementsOf(array);
    if (elements === HOLES) {
      this.#tag('a');
      this.varint(length);
      const count = this.#properties(array, Object.keys(array));
      this.#tag('@');
      this.varint(count);
      return this.varint(length);
    }
    this.#tag('A');
    this.varint(length);
    for (let i = 0; i < length; i++) {
      const one = array[i];
      if (elements === DOUBLES && typeof one === 'number') {
        this.#tag('N');
        this.double(one);
      } else if (one === undefined && !Object.hasOwn(array, i)) this.#tag('-');
      else this.value(one);
    }
    const count = this.#properties(array,
      Object.keys(array).filter((key) => indexOf(key) === undefined));
    this.#tag('$');
    this.varint(count);
    this.varint(length);
  }

  #map(map) {
    const pairs = [];
    Map.prototype.forEach.call(map, (value, key) => pairs.push(key, value));
    this.#tag(';');
    for (const one of pairs) this.value(one);
    this.#tag(':');
    this.varint(pairs.length);
  }

  #set(set) {
    const values = [];
    Set.prototype.forEach.call(set, (value) => values.push(value));
    this.#tag("'");
    for (const one of values) this.value(one);
    this.#tag(',');
    this.varint(values.length);
  }

  #regExp(regExp) {
    this.#tag('R');
    this.#text(`${regExp.source}`);
    let flags = 0;
    for (const one of `${regExp.flags}`) flags |= REGEXP_FLAGS[one] ?? 0;
    this.varint(flags);
  }

  #wrapped(object, name) {
    const value = globalThis[name].prototype.valueOf.call(object);
    if (name === 'Boolean') return this.#tag(value ? 'y' : 'x');
    if (name === 'Number') {
      this.#tag('n');
      return this.double(value);
    }
    this.#tag(name === 'String' ? 's' : 'z');
    return name === 'String' ? this.#text(value) : this.#bigint(value);
  }

  #buffer(buffer) {
    const id = this.#transferred.get(buffer);
    if (id !== undefined) {
      this.#tag('t');
      return this.varint(id);
    }
    if (buffer.detached) this.refuse('An ArrayBuffer is detached and could not be cloned.');
    const bytes = new Uint8Array(buffer);
    this.#tag(buffer.resizable ? '~' : 'B');
    this.varint(bytes.length);
    if (buffer.resizable) this.varint(buffer.maxByteLength);
    this.raw(bytes);
  }

  #shared(buffer) {
    const idOf = this.#owner._getSharedArrayBufferId;
    if (typeof idOf !== 'function') this.#refuseValue(buffer);
    const id = idOf.call(this.#owner, buffer) >>> 0;
    this.#tag('u');
    this.varint(id);
  }

  #arrayView(view) {
    const isTracking = native.tracksLength(view);
    this.#tag('V');
    this.#tag(VIEW_TAGS[native.className(view)] ?? '?');
    this.varint(view.byteOffset);
    this.varint(isTracking ? 0 : view.byteLength);
    this.varint((isTracking ? 1 : 0) + (view.buffer.resizable === true ? 2 : 0));
  }

  #error(error) {
    const tag = ERROR_TAGS[`${error.name}`];
    const message = Object.getOwnPropertyDescriptor(error, 'message');
    this.#tag('r');
    if (tag !== undefined) this.#tag(tag);
    if (message !== undefined && Object.hasOwn(message, 'value')) {
      this.#tag('m');
      this.#text(`${message.value}`);
    }
    if (Object.hasOwn(error, 'cause')) {
      this.#tag('c');
      this.value(error.cause);
    }
    const { stack } = error;
    if (typeof stack === 'string') {
      this.#tag('s');
      this.#text(stack);
    }
    this.#tag('.');
  }

  #outside(object) {
    const write = this.#owner._writeHostObject;
    if (typeof write !== 'function') this.#refuseValue(object);
    this.#tag('\\');
    write.call(this.#owner, object);
  }
}

module.exports = { Writer };
