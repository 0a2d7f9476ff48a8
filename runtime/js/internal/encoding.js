'use strict';
const native = binding('buffer');
const { invalidArgType, withCode } = require('internal/errors');

class TextEncoder {
  get encoding() { return 'utf-8'; }

  encode(text = '') {
    const bytes = native.fromString(`${text}`, 0);
    return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  encodeInto(text, target) {
    const written = native.write(target, text, 0, 0, target.length);
    return { read: native.toString(target, 0, 0, written).length, written };
  }
}

const LABELS = {
  'utf-8': 0, utf8: 0, 'unicode-1-1-utf-8': 0, 'utf-16le': 1, 'utf-16': 1, ucs2: 1, 'ucs-2': 1,
  unicode: 1, 'utf-16be': 3, latin1: 2, 'iso-8859-1': 2, ascii: 2, 'us-ascii': 2, 'windows-1252': 2,
  l1: 2,
};
const NAMES = ['utf-8', 'utf-16le', 'windows-1252', 'utf-16be'];

class TextDecoder {
  #number;
  #fatal;
  #ignoreBom;
  #decoder = null;
  #started = false;
  #odd = '';

  constructor(label = 'utf-8', options = {}) {
    const number = LABELS[`${label}`.trim().toLowerCase()];
    if (number === undefined) {
      throw withCode(RangeError, 'ERR_ENCODING_NOT_SUPPORTED',
        `The "${label}" encoding is not supported`);
    }
    this.#number = number;
    this.#fatal = Boolean(options?.fatal);
    this.#ignoreBom = Boolean(options?.ignoreBOM);
  }

  get encoding() { return NAMES[this.#number]; }

  get fatal() { return this.#fatal; }

  get ignoreBOM() { return this.#ignoreBom; }

  // UTF-16 the other way round; an odd byte waits for the next piece.
  #swapped(bytes) {
    const all = Buffer.concat([Buffer.from(this.#odd), bytes]);
    const even = all.length - all.length % 2;
    this.#odd = all.subarray(even);
    return all.subarray(0, even).swap16();
  }

  decode(input = new Uint8Array(0), options = {}) {
    if (!ArrayBuffer.isView(input) && !(input instanceof ArrayBuffer) &&
        !(input instanceof SharedArrayBuffer)) {
      throw invalidArgType('list', ['SharedArrayBuffer', 'ArrayBuffer', 'ArrayBufferView'], input);
    }
    const { StringDecoder } = require('string_decoder');
    const bytes = ArrayBuffer.isView(input)
      ? Buffer.from(input.buffer, input.byteOffset, input.byteLength) : Buffer.from(input);
    this.#decoder ??= new StringDecoder(['utf8', 'utf16le', 'latin1', 'utf16le'][this.#number]);
    let text = this.#decoder.write(this.#number === 3 ? this.#swapped(bytes) : bytes);
    const stream = Boolean(options?.stream);
    if (!stream) {
      text += this.#decoder.end();
      this.#decoder = null;
    }
    if (this.#fatal && this.#number === 0 && text.includes('\ufffd') &&
        native.compare(Buffer.from(text), bytes) !== 0) {
      this.#decoder = null;
      throw withCode(TypeError, 'ERR_ENCODING_INVALID_ENCODED_DATA',
        `The encoded data was not valid for encoding ${this.encoding}`);
    }
    if (!this.#started && !this.#ignoreBom && text.charCodeAt(0) === 0xFEFF) text = text.slice(1);
    this.#started = stream && (this.#started || text.length > 0);
    return text;
  }
}

module.exports = { TextEncoder, TextDecoder };
