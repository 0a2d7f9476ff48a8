'use strict';
// Node's name internal/webidl: the standard's conversions of JavaScript values.

const { invalidArgValue } = require('internal/errors/errors');

const unsigned = (value) => (value === 0 ? 0 : value); // there is no minus zero

// To the nearest whole number, halves to the even one.
function evenRound(value) {
  const low = Math.floor(value);
  const rest = value - low;
  if (rest < 0.5 || (rest === 0.5 && low % 2 === 0)) return unsigned(low);
  return unsigned(low + 1);
}

function modulo(value, by) {
  const rest = value % by;
  return unsigned(rest < 0 ? rest + by : rest);
}

function bounds(bitLength, isSigned) {
  if (bitLength === 64) {
    return [isSigned ? Number.MIN_SAFE_INTEGER : 0, Number.MAX_SAFE_INTEGER];
  }
  return isSigned ? [-(2 ** (bitLength - 1)), 2 ** (bitLength - 1) - 1] : [0, 2 ** bitLength - 1];
}

function convertToInt(name, value, bitLength, options = {}) {
  const { signed = false, enforceRange = false, clamp = false } = options;
  const [lowest, highest] = bounds(bitLength, signed);
  const number = unsigned(+value);
  if (enforceRange) {
    if (!Number.isFinite(number)) throw invalidArgValue(name, number, 'is not a finite number.');
    const whole = unsigned(Math.trunc(number));
    if (whole < lowest || whole > highest) {
      throw invalidArgValue(name, number,
        `is outside the expected range of ${lowest} to ${highest}.`);
    }
    return whole;
  }
  if (clamp) {
    return Number.isNaN(number) ? 0 : evenRound(Math.min(Math.max(number, lowest), highest));
  }
  if (!Number.isFinite(number)) return 0;
  const whole = unsigned(Math.trunc(number));
  if (whole >= lowest && whole <= highest) return whole;
  const wrapped = modulo(whole, 2 ** bitLength);
  return signed && wrapped >= 2 ** (bitLength - 1) ? wrapped - 2 ** bitLength : wrapped;
}

module.exports = { convertToInt, evenRound };
