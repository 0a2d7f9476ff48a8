'use strict';
// Node's binding uv: the names and the words of the loop's errors.

const names = require('internal/errors/uv').all();

const found = {};
for (const [status, [name]] of names) {
  Object.defineProperty(found, `UV_${name}`, { value: status, enumerable: true });
}
found.errname = (status) => binding('process').errorName(status);
found.getErrorMap = () => names;

module.exports = found;
