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

class StringDecoder {
  #number;
  #rest = null;

  constructor(encoding) {
    this.#number = encodingNumber(encoding);
    this.encoding = NAMES[this.#number];
  }

  get lastNeed() { return this.#rest ? 1 : 0; }

  write(chunk) {
    if (typeof chunk === 'string') return chunk;
    if (!ArrayBuffer.isView(chunk)) {
      throw require('internal/errors').invalidArgType('buf',
        ['Buffer', 'TypedArray', 'DataView'], chunk);
    }
    let bytes = chunk instanceof Buffer ? chunk
      : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    if (this.#rest !== null) {
      bytes = Buffer.concat([this.#rest, bytes]);
      this.#rest = null;
    }
    let keep = 0;
    if (this.#number === 0) keep = incompleteUtf8(bytes);
    else if (this.#number === 1) {
      keep = bytes.length % 2;
      const whole = bytes.length - keep;
      if (whole >= 2 && (bytes[whole - 1] & 0xFC) === 0xD8) keep += 2;
    } else if (this.#number === 4 || this.#number === 5) {
      keep = bytes.length % 3;
    }
    if (keep > 0) {
      this.#rest = Buffer.from(bytes.subarray(bytes.length - keep));
      bytes = bytes.subarray(0, bytes.length - keep);
    }
    return bytes.toString(this.encoding);
  }

  end(chunk) {
    let text = chunk === undefined ? '' : this.write(chunk);
    if (this.#rest !== null) {
      text += this.#rest.toString(this.encoding);
      this.#rest = null;
    }
    return text;
  }

  text(chunk, offset) {
    this.#rest = null;
    return this.write(chunk.subarray(offset));
  }
}

module.exports = { StringDecoder };
