'use strict';
// Node's name internal/assert.

const errors = require('internal/errors/errors');

function assert(value, message) {
  if (value) return;
  throw errors.withCode(Error, 'ERR_INTERNAL_ASSERTION', `${message ? `${message}\n` : ''}` +
    'This is caused by either a bug in Node.js or incorrect usage of Node.js internals.\n' +
    'Please open an issue with this stack trace at https://github.com/nodejs/node/issues\n');
}
assert.fail = (message) => assert(false, message);

module.exports = assert;
