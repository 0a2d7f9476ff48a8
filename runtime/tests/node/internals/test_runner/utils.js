'use strict';
// Node's name internal/test_runner/utils.

const { patternOf } = require('internal/test/filter');
const { isTestFile } = require('internal/test/files');

module.exports = { convertStringToRegExp: patternOf, doesPathMatchFilter: isTestFile };
