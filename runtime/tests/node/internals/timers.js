'use strict';
// Node's name internal/timers.

module.exports = {
  kTimeout: require('net')._kTimeout, TIMEOUT_MAX: 2 ** 31 - 1,
  setUnrefTimeout: (work, ms) => setTimeout(work, ms).unref(),
};
