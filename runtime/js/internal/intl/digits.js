'use strict';
// How many digits a number is written with, as the standard reads it from the options.

const { textOption, numberOption, checkNumber } = require('internal/intl/service');

const ROUNDING = { __proto__: null, ceil: 'ceiling', floor: 'floor', expand: 'up', trunc: 'down',
  halfCeil: 'half-ceiling', halfFloor: 'half-floor', halfExpand: 'half-up',
  halfTrunc: 'half-down', halfEven: 'half-even' };
const INCREMENTS = [1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 2500, 5000];
const MOST_SIGNIFICANT = 21;
const MOST_FRACTION = 20;

function readSignificant(state, fewest, most) {
  state.minimumSignificantDigits =
    checkNumber('minimumSignificantDigits', fewest, 1, MOST_SIGNIFICANT, 1);
  state.maximumSignificantDigits = checkNumber('maximumSignificantDigits', most,
    state.minimumSignificantDigits, MOST_SIGNIFICANT, MOST_SIGNIFICANT);
}

// `usual` is what a number has where the program says nothing: [fewest, most].
function readFraction(state, givenFewest, givenMost, usual) {
  let fewest = checkNumber('minimumFractionDigits', givenFewest, 0, MOST_FRACTION, undefined);
  let most = checkNumber('maximumFractionDigits', givenMost, 0, MOST_FRACTION, undefined);
  if (fewest === undefined && most === undefined) [fewest, most] = usual;
  fewest ??= Math.min(usual[0], most);
  most ??= Math.max(usual[1], fewest);
  if (fewest > most) throw new RangeError('maximumFractionDigits value is out of range.');
  Object.assign(state, { minimumFractionDigits: fewest, maximumFractionDigits: most });
}

function checkIncrement(state) {
  if (state.roundingIncrement === 1) return;
  if (state.rounding !== 'fraction') throw new TypeError('roundingIncrement value is invalid.');
  if (state.maximumFractionDigits !== state.minimumFractionDigits) {
    throw new RangeError('roundingIncrement value is out of range.');
  }
}

function readRounding(state, options) {
  state.roundingIncrement = numberOption(state, options, 'roundingIncrement', 1, 5000, 1);
  if (!INCREMENTS.includes(state.roundingIncrement)) {
    throw new RangeError('roundingIncrement value is out of range.');
  }
  state.roundingMode = textOption(state, options, 'roundingMode', Object.keys(ROUNDING),
    'halfExpand');
  const priority = textOption(state, options, 'roundingPriority',
    ['auto', 'morePrecision', 'lessPrecision'], 'auto');
  state.trailingZeroDisplay = textOption(state, options, 'trailingZeroDisplay',
    ['auto', 'stripIfInteger'], 'auto');
  return priority;
}

// state.rounding: by significant digits, by the digits of the fraction, by the one of both that
// keeps more or less, or as compact numbers are rounded.
function readDigits(state, options, lowest, highest, isCompact) {
  state.minimumIntegerDigits = numberOption(state, options, 'minimumIntegerDigits', 1, 21, 1);
  const { minimumFractionDigits: fewest, maximumFractionDigits: most,
    minimumSignificantDigits: least, maximumSignificantDigits: top } = options;
  const priority = readRounding(state, options);
  const hasSignificant = least !== undefined || top !== undefined;
  const hasFraction = fewest !== undefined || most !== undefined;
  const isBoth = priority !== 'auto';
  const usual = [lowest, state.roundingIncrement === 1 ? highest : lowest];
  if (isBoth || hasSignificant) readSignificant(state, least, top);
  if (isBoth || !hasSignificant && (hasFraction || !isCompact)) {
    readFraction(state, fewest, most, usual);
  }
  state.rounding = isBoth ? priority : hasSignificant ? 'significant'
    : hasFraction || !isCompact ? 'fraction' : 'compact';
  if (state.rounding === 'compact') {
    Object.assign(state, { minimumFractionDigits: 0, maximumFractionDigits: 0,
      minimumSignificantDigits: 1, maximumSignificantDigits: 2 });
  }
  checkIncrement(state);
}

module.exports = { ROUNDING, readDigits };
