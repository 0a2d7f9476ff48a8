'use strict';
// Node's binding buffer.

const { outOfRange } = require('internal/errors/errors');
const { kMaxLength, kStringMaxLength } = require('buffer');

function fill(buffer, value, start, end, encoding) {
  for (const [name, place] of Object.entries({ start, end })) {
    if (place < 0 || place > buffer.length) {
      throw outOfRange(name, `>= 0 && <= ${buffer.length}`, place);
    }
  }
  return Buffer.prototype.fill.call(buffer, value, start, end, encoding);
}

module.exports = { ...binding('buffer'), kMaxLength, kStringMaxLength, fill };
