'use strict';
const native = binding('buffer');
const { invalidArgType, invalidArgValue, outOfRange, unknownEncoding, withCode, withPlainCode } =
  require('internal/errors/errors');
const { validateInteger, validateString } = require('internal/errors/validators');
const { inspect } = require('internal/inspect/inspect');

const LARGEST = 2 ** 32;

const ENCODINGS = {
  utf8: 0, 'utf-8': 0, ucs2: 1, 'ucs-2': 1, utf16le: 1, 'utf-16le': 1, latin1: 2, binary: 2,
  ascii: 3, base64: 4, base64url: 5, hex: 6,
};

function encodingNumber(encoding, required) {
  if (encoding === undefined || encoding === null || encoding === '') return 0;
  const number = ENCODINGS[encoding] ?? ENCODINGS[String(encoding).toLowerCase()];
  if (number === undefined && required !== false) {
    throw unknownEncoding(encoding);
  }
  return number;
}

class FastBuffer extends Uint8Array {}

let isWarned = false;
let looks = 0; // a stack is not for free

// A program's own calls of the old constructor are told about, those of its packages only if asked.
function warnOfConstructor() {
  if (isWarned || process.noDeprecation || ++looks > 10000) return;
  const isAsked = process.execArgv.length > 0 &&
    require('internal/boot/options').isOn('pending-deprecation');
  if (!isAsked && process.env.NODE_PENDING_DEPRECATION !== '1') {
    const frames = new Error().stack.split('\n').slice(1);
    const caller = frames.find((frame) => !/\(?node:/.test(frame));
    if (caller === undefined || /[\\/]node_modules[\\/]/i.test(caller)) return;
  }
  isWarned = true;
  process.emitWarning('Buffer() is deprecated due to security and usability issues. Please use ' +
    'the Buffer.alloc(), Buffer.allocUnsafe(), or Buffer.from() methods instead.',
  'DeprecationWarning', 'DEP0005');
}

function Buffer(value, encodingOrOffset, length) {
  warnOfConstructor();
  const isSize = typeof value === 'number';
  if (isSize && typeof encodingOrOffset === 'string') {
    throw invalidArgType('string', 'string', value);
  }
  return isSize ? Buffer.alloc(value) : Buffer.from(value, encodingOrOffset, length);
}
Object.defineProperty(Buffer, Symbol.species, { configurable: true, get: () => FastBuffer });
Object.setPrototypeOf(Buffer, Uint8Array);
Buffer.prototype = FastBuffer.prototype;
Object.defineProperty(Buffer.prototype, 'constructor',
  { value: Buffer, writable: true, configurable: true, enumerable: false });
Buffer.poolSize = 8192;
native.setPrototype(Buffer.prototype);

function checkSize(size) {
  if (typeof size !== 'number') throw invalidArgType('size', 'number', size);
  if (!(size >= 0 && size <= LARGEST)) {
    throw outOfRange('size', `>= 0 && <= ${LARGEST}`, size);
  }
}

Buffer.alloc = function alloc(size, fill, encoding) {
  checkSize(size);
  const made = native.alloc(size, true);
  if (fill === undefined || fill === 0 || size === 0) return made;
  if (encoding !== undefined && encoding !== null) validateString(encoding, 'encoding');
  return made.fill(fill, encoding ?? undefined);
};
let isAllFilled = false; // --zero-fill-buffers
Buffer.allocUnsafe = function allocUnsafe(size) {
  checkSize(size);
  return native.alloc(size, isAllFilled);
};
Buffer.allocUnsafeSlow = Buffer.allocUnsafe;

function fromArrayLike(list) {
  const length = Number(list.length) || 0;
  const made = native.alloc(length > 0 ? length : 0, false);
  for (let i = 0; i < length; i++) made[i] = list[i];
  return made;
}

Buffer.from = function from(value, encodingOrOffset, length) {
  if (typeof value === 'string') {
    return native.fromString(value,
      typeof encodingOrOffset === 'string' ? encodingNumber(encodingOrOffset) : 0);
  }
  if (typeof value === 'object' && value !== null) {
    if (ArrayBuffer.isView(value)) return fromView(value);
    if (isAnyArrayBuffer(value)) {
      let offset = +encodingOrOffset || 0;
      if (offset !== offset) offset = 0;
      const most = value.byteLength - offset;
      if (most < 0) {
        throw withCode(
          RangeError,
          'ERR_BUFFER_OUT_OF_BOUNDS',
          '"offset" is outside of buffer bounds'
        );
      }
      let size = length === undefined ? most : +length;
      if (!(size > 0)) size = 0;
      if (size > most) {
        throw withCode(
          RangeError,
          'ERR_BUFFER_OUT_OF_BOUNDS',
          '"length" is outside of buffer bounds'
        );
      }
      return new FastBuffer(value, offset, size);
    }
    const inner = value.valueOf && value.valueOf();
    if (
      inner != null &&
      inner !== value &&
      (typeof inner === 'string' || typeof inner === 'object')
    ) {
      return Buffer.from(inner, encodingOrOffset, length);
    }
    if (value.length !== undefined || isAnyArrayBuffer(value.buffer)) {
      return typeof value.length === 'number' ? fromArrayLike(value) : native.alloc(0, false);
    }
    if (value.type === 'Buffer' && Array.isArray(value.data)) return fromArrayLike(value.data);
    if (typeof value[Symbol.toPrimitive] === 'function') {
      const primitive = value[Symbol.toPrimitive]('string');
      if (typeof primitive === 'string') return Buffer.from(primitive, encodingOrOffset);
    }
  }
  throw invalidArgType('first argument', ['string', 'Buffer', 'ArrayBuffer', 'Array',
    'Array-like Object'], value);
};

// What is one, whatever its prototype and its world.
let types;
function isAnyArrayBuffer(value) {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return false;
  types ??= require('util/types');
  return types.isAnyArrayBuffer(value);
}

function fromView(view) {
  const made = native.alloc(view.length ?? 0, false);
  if (view instanceof Uint8Array) native.copy(view, made, 0, 0, view.length);
  else if (view.length !== undefined)
    for (let i = 0; i < view.length; i++) made[i] = Number(view[i]);
  return made;
}

Buffer.copyBytesFrom = function copyBytesFrom(view, offset = 0, length = undefined) {
  if (!ArrayBuffer.isView(view) || view instanceof DataView) {
    throw invalidArgType('view', ['TypedArray'], view);
  }
  validateInteger(offset, 'offset', 0);
  if (length === undefined) length = view.length;
  else validateInteger(length, 'length', 0);
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  const size = view.BYTES_PER_ELEMENT;
  return Buffer.from(bytes.slice(offset * size, (offset + length) * size));
};
Buffer.of = (...items) => fromArrayLike(items);
Buffer.isBuffer = (value) => value instanceof Buffer;
Buffer.isEncoding = (encoding) => typeof encoding === 'string' && encoding.length !== 0 &&
  encodingNumber(encoding, false) !== undefined;

Buffer.byteLength = function byteLength(value, encoding) {
  if (typeof value !== 'string') {
    if (ArrayBuffer.isView(value) || isAnyArrayBuffer(value)) return value.byteLength;
    throw invalidArgType('string', ['string', 'Buffer', 'ArrayBuffer'], value);
  }
  const number = encodingNumber(encoding, false) ?? 0;
  if (number === ENCODINGS.hex) return value.length >>> 1;
  if (number === ENCODINGS.base64 || number === ENCODINGS.base64url) {
    return (value.replace(/={1,2}$/, '').length * 3) >>> 2;
  }
  return native.byteLength(value, number);
};

// Where the encoding may be left out, but not be empty.
function givenEncoding(encoding) {
  if (encoding === null || encoding === '') throw unknownEncoding(encoding);
  return encodingNumber(encoding);
}

function checkBytes(value, name) {
  if (!(value instanceof Uint8Array)) throw invalidArgType(name, ['Buffer', 'Uint8Array'], value);
}

Buffer.compare = function compare(a, b) {
  checkBytes(a, 'buf1');
  checkBytes(b, 'buf2');
  return a === b ? 0 : native.compare(a, b);
};

Buffer.concat = function concat(list, length) {
  if (!Array.isArray(list)) throw invalidArgType('list', 'Array', list);
  if (list.length === 0) return native.alloc(0, false);
  let total = 0;
  if (length === undefined) {
    for (let i = 0; i < list.length; i++) {
      checkBytes(list[i], `list[${i}]`);
      total += list[i].length;
    }
  } else {
    validateInteger(length, 'length', 0, LARGEST);
    total = length;
  }
  const made = native.alloc(total, true);
  let at = 0;
  for (let i = 0; i < list.length; i++) {
    checkBytes(list[i], `list[${i}]`);
    const room = Math.min(list[i].length, total - at);
    if (room > 0) native.copy(list[i], made, at, 0, room);
    at += list[i].length;
  }
  return made;
};

const proto = Buffer.prototype;

function methods(table) {
  for (const name of Object.keys(table)) {
    Object.defineProperty(proto, name,
      { value: table[name], writable: true, configurable: true, enumerable: true });
  }
}

// A place in a buffer, as copy() takes it: what is no such number counts as 0.
function toIndex(value) {
  const index = +value;
  return Number.isFinite(index) ? Math.trunc(index) : 0;
}

function rangeOf(length, start, end, startName, endName) {
  if (start === undefined) start = 0;
  else validateInteger(start, startName, 0, LARGEST);
  if (end === undefined) end = length;
  else validateInteger(end, endName, 0, length);
  return [start, end];
}

const LONGEST_STRING = 2 ** 29 - 24;
// Characters per byte, by the numbers of the encodings.
const GROWTH = [1, 1 / 2, 1, 1, 4 / 3, 4 / 3, 2];

// A small buffer has no text that is too long.
function checkText(count, encoding) {
  if (count * GROWTH[encoding] > LONGEST_STRING) {
    throw withPlainCode(Error, 'ERR_STRING_TOO_LONG',
      `Cannot create a string longer than 0x${LONGEST_STRING.toString(16)} characters`);
  }
}

methods({
  toString(encoding, start, end) {
    if (this.length > 2 ** 28) {
      const last = Math.min(end ?? this.length, this.length);
      checkText(last - Math.max(0, start ?? 0), givenEncoding(encoding));
    }
    if (arguments.length === 0) return native.toString(this, 0);
    const from = start > 0 ? Math.trunc(start) : 0;
    const to = end === undefined ? this.length : Math.min(Math.trunc(end) || 0, this.length);
    return native.toString(this, givenEncoding(encoding), from, to);
  },
  equals(other) {
    checkBytes(other, 'otherBuffer');
    return this === other || (this.length === other.length && native.compare(this, other) === 0);
  },
  compare(target, start, end, thisStart, thisEnd) {
    checkBytes(target, 'target');
    if (arguments.length === 1) return native.compare(this, target);
    const theirs = rangeOf(target.length, start, end, 'targetStart', 'targetEnd');
    const ours = rangeOf(this.length, thisStart, thisEnd, 'sourceStart', 'sourceEnd');
    return native.compare(this.subarray(...ours), target.subarray(...theirs));
  },
  write(text, offset, length, encoding) {
    if (typeof offset === 'string') {
      encoding = offset;
      offset = length = undefined;
    } else if (typeof length === 'string') {
      encoding = length;
      length = undefined;
    }
    if (typeof text !== 'string') throw invalidArgType('argument', 'string', text);
    if (offset !== undefined) {
      validateInteger(offset, 'offset', 0, this.length);
      if (length !== undefined) validateInteger(length, 'length', 0, this.length);
    }
    return native.write(this, text, encodingNumber(encoding), offset ?? 0, length ?? this.length);
  },
  toJSON() {
    return { type: 'Buffer', data: Array.from(this) };
  },
  slice(start, end) {
    return this.subarray(start, end);
  },
  subarray(start, end) {
    const size = this.length;
    const fix = (value, otherwise) => {
      if (value === undefined) return otherwise;
      let index = Math.trunc(+value) || 0;
      if (index < 0) index = Math.max(0, index + size);
      return Math.min(index, size);
    };
    const from = fix(start, 0);
    const to = fix(end, size);
    return new FastBuffer(this.buffer, this.byteOffset + from, to > from ? to - from : 0);
  },
  copy(target, targetStart, sourceStart, sourceEnd) {
    if (!ArrayBuffer.isView(target))
      throw invalidArgType('target', ['Buffer', 'Uint8Array'], target);
    const at = targetStart === undefined ? 0 : toIndex(targetStart);
    if (at < 0) throw outOfRange('targetStart', '>= 0', targetStart);
    const start = sourceStart === undefined ? 0 : toIndex(sourceStart);
    if (start < 0 || start > this.length) {
      throw outOfRange('sourceStart', `>= 0 && <= ${this.length}`, sourceStart);
    }
    const end = sourceEnd === undefined ? this.length : Math.min(toIndex(sourceEnd), this.length);
    if (end < 0) throw outOfRange('sourceEnd', '>= 0', sourceEnd);
    const count = Math.min(end - start, target.byteLength - at);
    if (!(count > 0)) return 0;
    native.copy(this, target, at, start, count);
    return count;
  },
  fill(value, offset, end, encoding) {
    if (typeof value === 'string') {
      if (offset === undefined || typeof offset === 'string') {
        encoding = offset;
        offset = undefined;
        end = undefined;
      } else if (typeof end === 'string') {
        encoding = end;
        end = undefined;
      }
      if (encoding !== undefined) validateString(encoding, 'encoding');
      const bytes = native.fromString(value, encodingNumber(encoding));
      if (value.length > 0 && bytes.length === 0) throw invalidArgValue('value', value);
      value = bytes;
    }
    const [from, to] = rangeOf(this.length, offset, end, 'offset', 'end');
    // The property may say more than there is.
    if (to > this.byteLength) {
      throw withCode(RangeError, 'ERR_BUFFER_OUT_OF_BOUNDS',
        'Attempt to access memory outside buffer bounds');
    }
    if (value instanceof Uint8Array) return fillWith(this, value, from, to);
    return Uint8Array.prototype.fill.call(this, +value & 255, from, to);
  },
  indexOf(value, from, encoding) { return search(this, value, from, encoding, true); },
  lastIndexOf(value, from, encoding) { return search(this, value, from, encoding, false); },
  includes(value, from, encoding) { return search(this, value, from, encoding, true) !== -1; },
  swap16() { return swap(this, 2); },
  swap32() { return swap(this, 4); },
  swap64() { return swap(this, 8); },
});
proto.toLocaleString = proto.toString;
Object.defineProperty(proto, 'parent', { enumerable: true, get() { return this.buffer; } });
Object.defineProperty(proto, 'offset', { enumerable: true, get() { return this.byteOffset; } });

function fillWith(buffer, bytes, offset, end) {
  if (bytes.length === 0) return Uint8Array.prototype.fill.call(buffer, 0, offset, end);
  if (bytes.length === 1) return Uint8Array.prototype.fill.call(buffer, bytes[0], offset, end);
  if (offset >= end) return buffer;
  let done = Math.min(bytes.length, end - offset);
  native.copy(bytes, buffer, offset, 0, done);
  while (offset + done < end) { // what is there already, twice as much each time
    const more = Math.min(done, end - offset - done);
    native.copy(buffer, buffer, offset + done, offset, more);
    done += more;
  }
  return buffer;
}

// In UTF-16, only where a unit begins.
function searchUnits(buffer, bytes, start, forward) {
  if (bytes.length < 2 || buffer.length < 2) return -1;
  for (let at = start; ;) {
    const found = native.indexOf(buffer, bytes, at, forward);
    if (found === -1 || found % 2 === 0) return found;
    at = forward ? found + 1 : found - 1;
    if (at < 0) return -1;
  }
}

function search(buffer, value, from, encoding, forward) {
  if (typeof from === 'string') {
    encoding = from;
    from = undefined;
  }
  let start = +from;
  if (from === undefined || start !== start) start = forward ? 0 : buffer.length;
  if (start < 0) start += buffer.length;
  if (start < 0) {
    if (!forward) return -1;
    start = 0;
  }
  let bytes;
  if (typeof value === 'number') bytes = new Uint8Array([value & 255]);
  else if (typeof value === 'string') bytes = native.fromString(value, givenEncoding(encoding));
  else if (value instanceof Uint8Array) bytes = value;
  else {
    throw invalidArgType('value', ['number', 'string', 'Buffer', 'Uint8Array'], value);
  }
  if (bytes.length === 0) return Math.min(Math.trunc(start), buffer.length);
  const isWide = typeof value !== 'number' && typeof encoding === 'string' &&
    givenEncoding(encoding) === ENCODINGS.utf16le;
  if (isWide) return searchUnits(buffer, bytes, Math.trunc(start), forward);
  return native.indexOf(buffer, bytes, Math.trunc(start), forward);
}

function swap(buffer, size) {
  if (buffer.length % size !== 0) {
    throw withCode(RangeError, 'ERR_INVALID_BUFFER_SIZE',
      `Buffer size must be a multiple of ${size * 8}-bits`);
  }
  for (let i = 0; i < buffer.length; i += size) buffer.subarray(i, i + size).reverse();
  return buffer;
}

for (const [name, encoding] of [['utf8', 0], ['ucs2', 1], ['latin1', 2], ['ascii', 3],
  ['base64', 4], ['base64url', 5], ['hex', 6]]) {
  proto[`${name}Slice`] = function slice(start, end) {
    return native.toString(this, encoding, start ?? 0, end ?? this.length);
  };
  proto[`${name}Write`] = function write(text, offset, length) {
    return native.write(this, text, encoding, offset ?? 0, length ?? this.length);
  };
}

Object.defineProperty(proto, inspect.custom, {
  configurable: true,
  writable: true,
  value(depth, ctx) {
    const limit = module.exports.INSPECT_MAX_BYTES;
    const shown = Math.min(limit, this.length);
    let text = native.toString(this, 6, 0, shown).replace(/(.{2})/g, '$1 ').trim();
    const rest = this.length - limit;
    if (rest > 0) text += ` ... ${rest} more byte${rest > 1 ? 's' : ''}`;
    const { extraKeys } = require('internal/inspect/names');
    const extras = Object.fromEntries((ctx === undefined ? [] : extraKeys(this, ctx.showHidden))
      .map((key) => [key, this[key]]));
    if (Reflect.ownKeys(extras).length > 0) {
      const shown = inspect(extras, { ...ctx, breakLength: Infinity, compact: true });
      text += `${text ? ', ' : ''}${shown.slice(2, -2)}`;
    }
    return `<${this.constructor.name} ${text}>`;
  },
});
proto.inspect = proto[inspect.custom];
Object.defineProperty(proto, 'inspect', { enumerable: false });

require('internal/buffer/numbers').install(proto);

function checkInput(count) {
  if (count === 0) {
    throw withCode(TypeError, 'ERR_MISSING_ARGS', 'The "input" argument must be specified');
  }
}

function atob(input) {
  checkInput(arguments.length);
  const text = `${input}`.replace(/[\t\n\f\r ]/g, '');
  const isOdd = /[^A-Za-z0-9+/=]/.test(text) || text.replace(/={1,2}$/, '').includes('=');
  if (isOdd || text === '=' || text === '==' || text.replace(/={0,2}$/, '').length % 4 === 1) {
    const { DOMException } = require('internal/errors/dom_exception');
    throw new DOMException(isOdd || text[0] === '=' ? 'Invalid character'
      : 'The string to be decoded is not correctly encoded.', 'InvalidCharacterError');
  }
  return Buffer.from(text, 'base64').toString('latin1');
}

function btoa(input) {
  checkInput(arguments.length);
  const text = `${input}`;
  if (/[^\x00-\xff]/.test(text)) {
    const { DOMException } = require('internal/errors/dom_exception');
    throw new DOMException('Invalid character', 'InvalidCharacterError');
  }
  return Buffer.from(text, 'latin1').toString('base64');
}

function transcode(source, from, to) {
  checkBytes(source, 'source');
  const given = encodingNumber(from, false);
  const number = encodingNumber(to, false);
  if (!(given <= ENCODINGS.ascii && number <= ENCODINGS.ascii)) {
    const failure = new Error('Unable to transcode Buffer [U_ILLEGAL_ARGUMENT_ERROR]');
    failure.code = 'U_ILLEGAL_ARGUMENT_ERROR';
    failure.errno = 1;
    throw failure;
  }
  let text = native.toString(source, given);
  if (number === ENCODINGS.latin1) text = text.replace(/[^\u0000-\u00ff]/gu, '?');
  else if (number === ENCODINGS.ascii) text = text.replace(/[^\u0000-\u007f]/gu, '?');
  return native.fromString(text, number);
}

// The bytes of what isUtf8 and isAscii look at.
function bytesOf(input) {
  const buffer = ArrayBuffer.isView(input) ? input.buffer : input;
  if (buffer instanceof ArrayBuffer && buffer.detached) {
    throw withCode(Error, 'ERR_INVALID_STATE', 'Cannot validate on a detached buffer');
  }
  if (isAnyArrayBuffer(input)) return new Uint8Array(input);
  if (!ArrayBuffer.isView(input) || input instanceof DataView) {
    throw invalidArgType('input', ['ArrayBuffer', 'Buffer', 'TypedArray'], input);
  }
  return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
}

function isUtf8(input) {
  const bytes = bytesOf(input);
  return native.compare(bytes, native.fromString(native.toString(bytes, 0), 0)) === 0;
}

function SlowBuffer(size) {
  require('internal/errors/validators').validateNumber(size, 'size', 0, LARGEST);
  return Buffer.allocUnsafeSlow(size);
}
Object.setPrototypeOf(SlowBuffer.prototype, Uint8Array.prototype);
Object.setPrototypeOf(SlowBuffer, Uint8Array);

let mostShown = 50; // bytes that util.inspect shows

module.exports = {
  get INSPECT_MAX_BYTES() { return mostShown; },
  set INSPECT_MAX_BYTES(value) {
    require('internal/errors/validators').validateNumber(value, 'INSPECT_MAX_BYTES', 0);
    mostShown = value;
  },
  Buffer, SlowBuffer, atob, btoa, transcode, kMaxLength: LARGEST, kStringMaxLength: LONGEST_STRING,
  constants: { MAX_LENGTH: LARGEST, MAX_STRING_LENGTH: LONGEST_STRING },
  isUtf8,
  resolveObjectURL(url) {
    if (arguments.length === 0) throw require('internal/errors/errors').missingArgs('url');
    return require('internal/blob/urls').resolve(`${url}`);
  },
  isAscii: (input) => bytesOf(input).every((byte) => byte < 128),
};
Object.defineProperty(module.exports, 'fillAll', { value() { isAllFilled = true; } });
Object.defineProperty(module.exports, 'encodingNumber', { value: encodingNumber });
Object.defineProperty(module.exports, 'FastBuffer', { value: FastBuffer });
for (const name of ['Blob', 'File']) {
  Object.defineProperty(module.exports, name,
    { configurable: true, enumerable: true, get: () => require('internal/blob/blob')[name] });
}
