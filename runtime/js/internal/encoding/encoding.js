'use strict';
// TextEncoder and TextDecoder. UTF-8 and Latin-1 are our own, ICU has all other encodings.
const native = binding('buffer');
const { invalidArgType, withCode, withPlainCode } = require('internal/errors/errors');
const { validateString, validateObject, FUNCTION, NULLABLE } =
  require('internal/errors/validators');

const inspectCustom = Symbol.for('nodejs.util.inspect.custom');
const NOTHING = new Uint8Array(0);

function invalidThis(name) {
  return withCode(TypeError, 'ERR_INVALID_THIS', `Value of "this" must be of type ${name}`,
    invalidThis);
}

class TextEncoder {
  #isOne = true;

  static #check(value) {
    if (value === null || typeof value !== 'object' || !(#isOne in value)) {
      throw invalidThis('TextEncoder');
    }
  }

  get encoding() {
    TextEncoder.#check(this);
    return 'utf-8';
  }

  encode(text = '') {
    TextEncoder.#check(this);
    const bytes = native.fromString(`${text}`, 0);
    return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  encodeInto(text, target) {
    TextEncoder.#check(this);
    validateString(text, 'src');
    if (!(target instanceof Uint8Array)) throw invalidArgType('dest', 'Uint8Array', target);
    const written = native.write(target, text, 0, 0, target.length);
    return { read: native.toString(target, 0, 0, written).length, written };
  }

  [inspectCustom](depth, options, inspect = require('internal/inspect/inspect').inspect) {
    TextEncoder.#check(this);
    if (typeof depth === 'number' && depth < 0) return '[TextEncoder]';
    return inspect({ encoding: this.encoding }, options);
  }
}

// How many bytes at the end begin a character that is not whole yet.
function unfinished(bytes) {
  const { length } = bytes;
  for (let back = 1; back <= 3 && back <= length; back++) {
    const lead = bytes[length - back];
    if ((lead & 0xC0) === 0x80) continue;
    const need = lead >= 0xF0 && lead <= 0xF4 ? 4 : lead >= 0xE0 && lead < 0xF0 ? 3
      : lead >= 0xC2 && lead < 0xE0 ? 2 : 1;
    if (need <= back) return 0;
    const next = bytes[length - back + 1]; // undefined, which is neither more nor less than any
    const isWrong = (lead === 0xE0 && next < 0xA0) || (lead === 0xED && next > 0x9F) ||
      (lead === 0xF0 && next < 0x90) || (lead === 0xF4 && next > 0x8F);
    return isWrong ? 0 : back;
  }
  return 0;
}

// Decoders: decode(bytes, isLast) gives text, or null if the bytes are wrong and that is fatal.
class Utf8 {
  #pending = NOTHING;
  #fatal;

  constructor(fatal) { this.#fatal = fatal; }

  decode(bytes, isLast) {
    let all = bytes;
    if (this.#pending.length > 0) all = Buffer.concat([this.#pending, bytes]);
    const keep = isLast ? 0 : unfinished(all);
    this.#pending = keep === 0 ? NOTHING : Buffer.from(all.subarray(all.length - keep));
    if (keep > 0) all = all.subarray(0, all.length - keep);
    const text = native.toString(all, 0);
    const isWrong = this.#fatal && text.includes('\ufffd') &&
      native.compare(native.fromString(text, 0), all) !== 0;
    if (isWrong) this.#pending = NOTHING;
    return isWrong ? null : text;
  }
}

class Latin1 {
  decode(bytes) { return native.toString(bytes, 2); }
}

class Others {
  #box;
  #icu = binding('icu');

  constructor(encoding, fatal) {
    // ICU knows Hebrew in the order of speech by the name of the other order alone.
    const name = encoding === 'iso-8859-8-i' ? 'iso-8859-8' : encoding;
    this.#box = this.#icu.open(name, fatal);
  }

  decode(bytes, isLast) { return this.#icu.decode(this.#box, bytes, isLast); }
}

function makeDecoder(encoding, fatal) {
  if (encoding === 'utf-8') return new Utf8(fatal);
  return encoding === 'windows-1252' ? new Latin1() : new Others(encoding, fatal);
}

function bytesOf(input) {
  if ((input?.buffer ?? input)?.detached === true) return NOTHING;
  if (ArrayBuffer.isView(input)) {
    return Buffer.from(input.buffer, input.byteOffset, input.byteLength);
  }
  if (input instanceof ArrayBuffer || input instanceof SharedArrayBuffer) {
    return Buffer.from(input);
  }
  if (require('util').types.isAnyArrayBuffer(input)) return Buffer.from(new Uint8Array(input));
  throw invalidArgType('list', ['SharedArrayBuffer', 'ArrayBuffer', 'ArrayBufferView'], input);
}

class TextDecoder {
  #encoding;
  #fatal;
  #ignoreBom;
  #decoder;
  #isFirst = true;

  constructor(label = 'utf-8', options = {}) {
    label = `${label}`;
    validateObject(options, 'options', FUNCTION | NULLABLE);
    this.#encoding = require('internal/encoding/labels').encodingOf(label);
    if (this.#encoding === undefined) {
      throw withCode(RangeError, 'ERR_ENCODING_NOT_SUPPORTED',
        `The "${label}" encoding is not supported`);
    }
    this.#fatal = Boolean(options?.fatal);
    this.#ignoreBom = Boolean(options?.ignoreBOM);
    this.#decoder = makeDecoder(this.#encoding, this.#fatal);
  }

  static #of(value) {
    if (value === null || typeof value !== 'object' || !(#encoding in value)) {
      throw invalidThis('TextDecoder');
    }
    return value;
  }

  decode(input = NOTHING, options = {}) {
    const self = TextDecoder.#of(this);
    const isLast = !options?.stream;
    let text = self.#decoder.decode(bytesOf(input), isLast);
    if (text === null) {
      self.#isFirst = true;
      throw withPlainCode(TypeError, 'ERR_ENCODING_INVALID_ENCODED_DATA',
        `The encoded data was not valid for encoding ${self.#encoding}`);
    }
    const mayBeMark = self.#isFirst && text.charCodeAt(0) === 0xFEFF;
    self.#isFirst = isLast || (self.#isFirst && text === '');
    if (mayBeMark && !self.#ignoreBom && self.#encoding.startsWith('utf-')) text = text.slice(1);
    return text;
  }

  get encoding() { return TextDecoder.#of(this).#encoding; }

  get fatal() { return TextDecoder.#of(this).#fatal; }

  get ignoreBOM() { return TextDecoder.#of(this).#ignoreBom; }

  [inspectCustom](depth, options, inspect = require('internal/inspect/inspect').inspect) {
    const { encoding, fatal, ignoreBOM } = TextDecoder.#of(this);
    if (typeof depth === 'number' && depth < 0) return '[TextDecoder]';
    const shown = new (class TextDecoder {})();
    Object.assign(shown, { encoding, fatal, ignoreBOM });
    if (options.showHidden) {
      shown[Symbol('flags')] = (fatal ? 2 : 0) | (ignoreBOM ? 4 : 0);
      shown[Symbol('handle')] = undefined;
    }
    return inspect(shown, options);
  }
}

for (const Class of [TextEncoder, TextDecoder]) {
  for (const name of Object.getOwnPropertyNames(Class.prototype)) {
    if (name !== 'constructor') Object.defineProperty(Class.prototype, name, { enumerable: true });
  }
  Object.defineProperty(Class.prototype, Symbol.toStringTag,
    { value: Class.name, configurable: true });
}

module.exports = {
  TextEncoder, TextDecoder,
  getEncodingFromLabel: (label) => require('internal/encoding/labels').anyOf(label),
};
