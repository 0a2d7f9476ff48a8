'use strict';
// Streams that turn text into bytes and bytes into text.

const { state, slots, define } = require('internal/web/base');
const { TransformStream } = require('internal/web/transform');

// They hold a transform stream; they are none.
function hold(self, brand, coder, transformer) {
  self[state] = { brand, coder, transform: new TransformStream(transformer) };
}

class TextEncoderStream {
  constructor() {
    const encoder = new TextEncoder();
    let high = ''; // half of a pair at the end of a chunk
    hold(this, 'TextEncoderStream', encoder, {
      transform(chunk, controller) {
        let text = `${high}${chunk}`;
        const last = text.charCodeAt(text.length - 1);
        high = last >= 0xD800 && last <= 0xDBFF ? text.slice(-1) : '';
        if (high !== '') text = text.slice(0, -1);
        if (text !== '') controller.enqueue(encoder.encode(text));
      },
      flush(controller) {
        if (high !== '') controller.enqueue(new Uint8Array([0xEF, 0xBF, 0xBD]));
      },
    });
  }

  get encoding() { return slots(this, 'TextEncoderStream').coder.encoding; }

  get readable() { return slots(this, 'TextEncoderStream').transform.readable; }

  get writable() { return slots(this, 'TextEncoderStream').transform.writable; }
}
define(TextEncoderStream, (stream, { coder, transform }) => ({ encoding: coder.encoding,
  readable: transform.readable, writable: transform.writable }));

class TextDecoderStream {
  constructor(encoding = 'utf-8', options = {}) {
    const decoder = new TextDecoder(encoding, options);
    hold(this, 'TextDecoderStream', decoder, {
      transform(chunk, controller) {
        const text = decoder.decode(chunk, { stream: true });
        if (text) controller.enqueue(text);
      },
      flush(controller) {
        const text = decoder.decode();
        if (text) controller.enqueue(text);
      },
    });
  }

  get encoding() { return slots(this, 'TextDecoderStream').coder.encoding; }

  get fatal() { return slots(this, 'TextDecoderStream').coder.fatal; }

  get ignoreBOM() { return slots(this, 'TextDecoderStream').coder.ignoreBOM; }

  get readable() { return slots(this, 'TextDecoderStream').transform.readable; }

  get writable() { return slots(this, 'TextDecoderStream').transform.writable; }
}
define(TextDecoderStream, (stream, { coder, transform }) => ({ encoding: coder.encoding,
  fatal: coder.fatal, ignoreBOM: coder.ignoreBOM, readable: transform.readable,
  writable: transform.writable }));

module.exports = { TextEncoderStream, TextDecoderStream };
