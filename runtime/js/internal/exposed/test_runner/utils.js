'use strict';
// Node's name internal/test_runner/utils.

module.exports = {
  convertStringToRegExp: require('internal/test/filter').patternOf,
};
