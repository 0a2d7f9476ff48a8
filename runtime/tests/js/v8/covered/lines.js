'use strict';
exports.sum = (a, b) => {
  if (a < 0) {
    return b;
  }
  return a + b;
};
exports.never = function () {
  return 1;
};
/* node:coverage ignore next */
exports.ignored = () => 0;

/* node:coverage disable */
function off() {
  return 2;
}
/* node:coverage enable */
exports.off = off;
