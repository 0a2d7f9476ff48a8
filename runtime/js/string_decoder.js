'use strict';
const { encodingNumber } = require('buffer');

const NAMES = ['utf8', 'utf16le', 'latin1', 'ascii', 'base64', 'base64url', 'hex'];

// How many bytes at the end belong to a character that is not complete.
function incompleteUtf8(bytes) {
  const size = bytes.length;
  for (let back = 1; back <= Math.min(3, size); back++) {
    const byte = bytes[size - back];
    if ((byte & 0xC0) === 0x80) continue;
    const need = byte >= 0xF0 && byte < 0xF5 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC2 ? 2 : 1;
    if (byte >= 0xF5 || need <= back) return 0;
    const second = bytes[size - back + 1];
    if (back > 1 && ((byte === 0xE0 && second < 0xA0) || (byte === 0xED && second > 0x9F) ||
        (byte === 0xF0 && second < 0x90) || (byte === 0xF4 && second > 0x8F))) return 0;
    return back;
  }
  return 0;
}

const kNumber = Symbol('kNumber');
const kRest = Symbol('kRest');

// A function, not a class: programs derive from it by calling it.
function StringDecoder(encoding) {
  this[kNumber] = encodingNumber(encoding);
  this[kRest] = null;
  this.encoding = NAMES[this[kNumber]];
}

// How many bytes the character has that is not complete.
function total(decoder) {
  const rest = decoder[kRest];
  if (rest === null) return 0;
  if (decoder[kNumber] === 0) return rest[0] >= 0xF0 ? 4 : rest[0] >= 0xE0 ? 3 : 2;
  return decoder[kNumber] === 1 ? (rest.length > 1 ? 4 : 2) : 3;
}

const state = {
  lastChar() { return Buffer.concat([this[kRest] ?? Buffer.alloc(0)], 4); },
  lastNeed() { return total(this) - (this[kRest]?.length ?? 0); },
  lastTotal() { return total(this); },
};
for (const name of Object.keys(state)) {
  Object.defineProperty(StringDecoder.prototype, name,
    { configurable: true, enumerable: true, get: state[name] });
}

Object.assign(StringDecoder.prototype, {
  write(chunk) {
    if (typeof chunk === 'string') return chunk;
    if (!ArrayBuffer.isView(chunk)) {
      throw require('internal/errors/errors').invalidArgType('buf',
        ['Buffer', 'TypedArray', 'DataView'], chunk);
    }
    let bytes = chunk instanceof Buffer ? chunk
      : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    if (this[kRest] !== null) {
      bytes = Buffer.concat([this[kRest], bytes]);
      this[kRest] = null;
    }
    let keep = 0;
    if (this[kNumber] === 0) keep = incompleteUtf8(bytes);
    else if (this[kNumber] === 1) {
      keep = bytes.length % 2;
      const whole = bytes.length - keep;
      if (whole >= 2 && (bytes[whole - 1] & 0xFC) === 0xD8) keep += 2;
    } else if (this[kNumber] === 4 || this[kNumber] === 5) {
      keep = bytes.length % 3;
    }
    if (keep > 0) {
      this[kRest] = Buffer.from(bytes.subarray(bytes.length - keep));
      bytes = bytes.subarray(0, bytes.length - keep);
    }
    return bytes.toString(this.encoding);
  },

  end(chunk) {
    let text = chunk === undefined ? '' : this.write(chunk);
    if (this[kRest] !== null) {
      text += this[kRest].toString(this.encoding);
      this[kRest] = null;
    }
    return text;
  },

  text(chunk, offset) {
    this[kRest] = null;
    return this.write(chunk.subarray(offset));
  },
});

module.exports = { StringDecoder };
