'use strict';
// How much a queue holds: by chunks, or by their bytes.

const { state, slots, define } = require('internal/web/base');
const { withCode } = require('internal/errors/errors');
const { validateObject } = require('internal/errors/validators');

function markOf(init) {
  validateObject(init, 'init');
  if (init.highWaterMark === undefined) {
    throw withCode(TypeError, 'ERR_MISSING_OPTION', 'init.highWaterMark is required');
  }
  return +init.highWaterMark;
}

const byCount = Object.defineProperty(() => 1, 'name', { value: 'size' });
const byBytes = Object.defineProperty(({ byteLength }) => byteLength, 'name', { value: 'size' });

class CountQueuingStrategy {
  constructor(init) {
    this[state] = { brand: 'CountQueuingStrategy', highWaterMark: markOf(init) };
  }

  get highWaterMark() { return slots(this, 'CountQueuingStrategy').highWaterMark; }

  get size() {
    slots(this, 'CountQueuingStrategy');
    return byCount;
  }
}

class ByteLengthQueuingStrategy {
  constructor(init) {
    this[state] = { brand: 'ByteLengthQueuingStrategy', highWaterMark: markOf(init) };
  }

  get highWaterMark() { return slots(this, 'ByteLengthQueuingStrategy').highWaterMark; }

  get size() {
    slots(this, 'ByteLengthQueuingStrategy');
    return byBytes;
  }
}
for (const Class of [CountQueuingStrategy, ByteLengthQueuingStrategy]) {
  define(Class, (strategy, slot) => ({ highWaterMark: slot.highWaterMark }));
}

module.exports = { CountQueuingStrategy, ByteLengthQueuingStrategy };
