'use strict';
// Node's binding zlib: a stream that takes one step for each write.

const native = binding('zlib');
const ids = require('internal/async/ids');

class Zlib {
  #mode;
  #stream;
  #result;
  #callback;
  #work = ids.isCounting() ? ids.made('ZLIB', this) : undefined;

  constructor(mode) { this.#mode = mode; }

  init(windowBits, level, memLevel, strategy, result, callback, dictionary) {
    const words = dictionary?.length > 0 ? dictionary : undefined;
    this.#stream = native.create(this.#mode, level, windowBits, memLevel, strategy, words);
    this.#result = result;
    this.#callback = callback;
  }

  #tell([, inLeft, outLeft]) {
    this.#result[0] = outLeft;
    this.#result[1] = inLeft;
  }

  write(flush, input, from, length, output, at, room) {
    native.write(this.#stream, Number(flush), input, from, length, output.subarray(0, at + room),
      at, (result) => {
        this.#tell(result);
        if (this.#work === undefined) Reflect.apply(this.#callback, this, []);
        else ids.run(this.#work, this.#callback, this, []);
      });
  }

  writeSync(flush, input, from, length, output, at, room) {
    this.#tell(native.write(this.#stream, Number(flush), input, from, length,
      output.subarray(0, at + room), at));
  }

  reset() { native.reset(this.#stream); }

  params(level, strategy) { native.params(this.#stream, level, strategy); }

  close() {
    native.close(this.#stream);
    if (this.#work !== undefined) ids.destroyed(this.#work);
  }
}

module.exports = { Zlib, crc32: native.crc32 };
