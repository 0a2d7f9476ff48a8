'use strict';
// --expose-internals: what Node's own tests ask for by the names of Node's internal modules, made
// of our own: internal/NAME is our internal/exposed/NAME. Names that have no counterpart here are
// not found, as any other.

const builtins = require('internal/builtins');

function find(id) {
  if (!id.startsWith('internal/')) return undefined;
  const own = id.replace('internal/', 'internal/exposed/');
  return builtins.has(own) ? () => require(own) : undefined;
}

module.exports = { find };
