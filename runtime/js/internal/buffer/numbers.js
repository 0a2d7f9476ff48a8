'use strict';
// readInt32LE and its many relatives.

const { invalidArgType, outOfRange, withCode } = require('internal/errors/errors');

const scratch = new DataView(new ArrayBuffer(8));

function checkOffset(buffer, offset, size) {
  if (typeof offset !== 'number') throw invalidArgType('offset', 'number', offset);
  if (Math.floor(offset) !== offset) throw outOfRange('offset', 'an integer', offset);
  const last = buffer.length - size;
  if (last < 0) {
    throw withCode(RangeError, 'ERR_BUFFER_OUT_OF_BOUNDS',
      'Attempt to access memory outside buffer bounds');
  }
  if (offset < 0 || offset > last) throw outOfRange('offset', `>= 0 and <= ${last}`, offset);
}

function checkValue(value, low, high, bits, name) {
  if (value > high || value < low) {
    const big = typeof low === 'bigint';
    const suffix = big ? 'n' : '';
    let range;
    if (bits > 32) {
      const one = `2${suffix} ** `;
      range = low < 0 ? `>= -(${one}${bits - 1}${suffix}) and < ${one}${bits - 1}${suffix}`
        : `>= 0${suffix} and < ${one}${bits}${suffix}`;
    } else {
      range = `>= ${low} and <= ${high}`;
    }
    throw outOfRange(name, range, value);
  }
}

function add(proto, names, read, write) {
  for (const [verb, suffix] of names) {
    proto[`${verb}${suffix}`] = verb === 'read' ? read : write;
  }
}

function fixed(proto, kind, size, little, suffixes) {
  const getter = `get${kind}`;
  const setter = `set${kind}`;
  const big = kind.startsWith('Big');
  const isFloat = kind.startsWith('Float');
  const bits = size * 8;
  const signed = !/U/.test(kind);
  let low;
  let high;
  if (big) {
    low = signed ? -(2n ** 63n) : 0n;
    high = signed ? 2n ** 63n - 1n : 2n ** 64n - 1n;
  } else {
    low = signed ? -(2 ** (bits - 1)) : 0;
    high = signed ? 2 ** (bits - 1) - 1 : 2 ** bits - 1;
  }
  function read(offset = 0) {
    checkOffset(this, offset, size);
    for (let i = 0; i < size; i++) scratch.setUint8(i, this[offset + i]);
    return scratch[getter](0, little);
  }
  function write(value, offset = 0) {
    if (big) {
      if (typeof value !== 'bigint') throw invalidArgType('value', 'bigint', value);
    } else {
      value = +value;
    }
    if (!isFloat) checkValue(value, low, high, bits, 'value');
    checkOffset(this, offset, size);
    scratch[setter](0, value, little);
    for (let i = 0; i < size; i++) this[offset + i] = scratch.getUint8(i);
    return offset + size;
  }
  for (const suffix of suffixes) add(proto, [['read', suffix], ['write', suffix]], read, write);
}

function variable(proto, signed, little, suffixes) {
  function checkLength(length) {
    if (typeof length !== 'number') throw invalidArgType('byteLength', 'number', length);
    if (Math.floor(length) !== length) throw outOfRange('byteLength', 'an integer', length);
    if (length < 1 || length > 6) throw outOfRange('byteLength', '>= 1 and <= 6', length);
  }
  function read(offset, length) {
    checkLength(length);
    checkOffset(this, offset, length);
    let value = 0;
    for (let i = 0; i < length; i++)
      value = value * 256 + this[offset + (little ? length - 1 - i : i)];
    return signed && value >= 2 ** (length * 8 - 1) ? value - 2 ** (length * 8) : value;
  }
  function write(value, offset, length) {
    checkLength(length);
    value = +value;
    const bits = length * 8;
    const low = signed ? -(2 ** (bits - 1)) : 0;
    const high = signed ? 2 ** (bits - 1) - 1 : 2 ** bits - 1;
    checkValue(value, low, high, bits, 'value');
    checkOffset(this, offset, length);
    let rest = value < 0 ? value + 2 ** bits : value;
    for (let i = 0; i < length; i++) {
      this[offset + (little ? i : length - 1 - i)] = rest % 256;
      rest = Math.floor(rest / 256);
    }
    return offset + length;
  }
  for (const suffix of suffixes) add(proto, [['read', suffix], ['write', suffix]], read, write);
}

function install(proto) {
  fixed(proto, 'Uint8', 1, true, ['UInt8', 'Uint8']);
  fixed(proto, 'Int8', 1, true, ['Int8']);
  for (const little of [true, false]) {
    const end = little ? 'LE' : 'BE';
    for (const bits of [16, 32]) {
      fixed(proto, `Uint${bits}`, bits / 8, little, [`UInt${bits}${end}`, `Uint${bits}${end}`]);
      fixed(proto, `Int${bits}`, bits / 8, little, [`Int${bits}${end}`]);
    }
    fixed(proto, 'Float32', 4, little, [`Float${end}`]);
    fixed(proto, 'Float64', 8, little, [`Double${end}`]);
    fixed(proto, 'BigInt64', 8, little, [`BigInt64${end}`]);
    fixed(proto, 'BigUint64', 8, little, [`BigUInt64${end}`, `BigUint64${end}`]);
    variable(proto, true, little, [`Int${end}`]);
    variable(proto, false, little, [`UInt${end}`, `Uint${end}`]);
  }
}

module.exports = { install };
