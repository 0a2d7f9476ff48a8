'use strict';
// Node's name internal/timers.

module.exports = {
  kTimeout: Symbol.for('phasor.timeout'), TIMEOUT_MAX: 2 ** 31 - 1,
  setUnrefTimeout: (work, ms) => setTimeout(work, ms).unref(),
};
