'use strict';
// Coverage as lcov: the engine counts no lines, so that there is never any.

const { Transform } = require('stream');

module.exports = class LcovReporter extends Transform {
  constructor(options) { super({ ...options, writableObjectMode: true }); }

  _transform(event, encoding, done) { done(null); }
};
