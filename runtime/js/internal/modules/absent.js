'use strict';
// Parts of Node that this runtime does not have: the modules load, using them says what is missing.

const { withCode } = require('internal/errors/errors');

function named(name, work) {
  Object.defineProperty(work, 'name', { value: name });
  return work;
}

// Throws when it is called or constructed.
function absent(name, what) {
  return named(name.replace(/^.*\./, ''), function() {
    throw withCode(Error, 'ERR_NO_CRYPTO', `${name} is not available: phasor has no ${what}`);
  });
}

function absentAll(module, names, what) {
  const made = {};
  for (const name of names) made[name] = absent(`${module}.${name}`, what);
  return made;
}

module.exports = { absent, absentAll };
