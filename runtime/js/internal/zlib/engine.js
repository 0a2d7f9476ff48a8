'use strict';
// A stream of a library with its options, and the steps through one piece of input.

const { cutShort } = require('internal/zlib/formats');
const ids = require('internal/async/ids');

const ENDED = 1;

class Engine {
  constructor(format, given) {
    this.format = format;
    this.options = format.options(given ?? {});
    this.stream = format.create(this.options);
    this.native = format.native;
    this.room = undefined;
    this.used = 0;
    this.work = ids.isCounting() ? ids.made('ZLIB', this) : undefined;
  }

  check(result, flush) {
    const error = this.format.check(result, this.options);
    if (error !== undefined) return error;
    const isCut = result[0] !== ENDED && result[2] !== 0 && flush === this.format.finish;
    return isCut ? cutShort() : undefined;
  }

  // onBytes(bytes) for each piece of output; false stops.
  take(result, onBytes) {
    const end = this.room.length - result[2];
    const piece = this.room.subarray(this.used, end);
    this.used = end;
    if (result[2] === 0) this.room = undefined;
    return piece.length === 0 || onBytes(piece) !== false;
  }

  prepare() {
    if (this.room !== undefined) return;
    this.room = Buffer.allocUnsafeSlow(this.options.chunkSize);
    this.used = 0;
  }

  // Gives how many bytes of input were left over.
  runSync(input, flush, onBytes) {
    for (let left = input.byteLength; ;) {
      this.prepare();
      const result = this.native.write(this.stream, flush, input, input.byteLength - left, left,
        this.room, this.used);
      const error = this.check(result, flush);
      if (error) throw error;
      left = result[1];
      const isFull = result[2] === 0;
      if (!this.take(result, onBytes)) return left;
      if (!isFull) return left;
    }
  }

  // onConsumed(bytes) before the output of a step; hold(next) keeps the next step until it may be,
  // without one it is left out.
  run(input, flush, onBytes, callback, onConsumed = undefined, hold = undefined) {
    let left = input.byteLength;
    const next = () => {
      if (this.stream === undefined) return;
      this.prepare();
      this.native.write(this.stream, flush, input, input.byteLength - left, left, this.room,
        this.used, onStep);
    };
    const onStep = (result) => {
      if (this.work === undefined) step(result);
      else ids.run(this.work, step, undefined, [result]);
    };
    const step = (result) => {
      if (this.stream === undefined) return;
      const error = this.check(result, flush);
      if (error) {
        callback(error);
        return;
      }
      const before = left;
      left = result[1];
      onConsumed?.(before - left);
      const isFull = result[2] === 0;
      const goesOn = this.take(result, onBytes);
      if (isFull && goesOn) next();
      else if (isFull && hold !== undefined) hold(next);
      else callback(null, left);
    };
    next();
  }

  reset() {
    if (this.native.reset !== undefined) {
      this.native.reset(this.stream);
      return;
    }
    this.native.close(this.stream);
    this.stream = this.format.create(this.options);
  }

  close() {
    if (this.stream !== undefined) this.native.close(this.stream);
    this.stream = undefined;
    if (this.work !== undefined) ids.destroyed(this.work);
  }
}

module.exports = Engine;
