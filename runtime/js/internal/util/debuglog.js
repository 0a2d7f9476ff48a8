'use strict';
// util.debuglog: lines for the sections that NODE_DEBUG names.

const native = binding('process');
const { inspect } = require('internal/inspect/inspect');
const { formatWithOptions } = require('internal/inspect/format');

// What is sent and received is no business of others.
const PRIVATE = new Set(['HTTP', 'HTTP2']);

function isWanted(name) {
  return (process.env.NODE_DEBUG || '').toUpperCase().split(',').some((one) => {
    const pattern = one.trim().replace(/[|\\{}()[\]^$+?.]/g, '\\$&').replaceAll('*', '.*');
    return pattern !== '' && new RegExp(`^${pattern}$`).test(name);
  });
}

function warnOf(set) {
  process.emitWarning(`Setting the NODE_DEBUG environment variable to '${set.toLowerCase()}' ` +
    'can expose sensitive data (such as passwords, tokens and authentication headers) in the ' +
    'resulting log.');
}

// The first call tells of the function that later calls may take instead.
function debuglog(set, onFirst) {
  const name = set.toUpperCase();
  const enabled = isWanted(name);
  const write = (...args) => {
    if (!enabled) return;
    const colors = require('internal/inspect/color_depth').showsColors(process.stderr);
    const text = formatWithOptions({ colors }, ...args);
    native.write(2, `${name} ${inspect(process.pid, { colors })}: ${text}\n`);
  };
  let isFirst = true;
  const log = (...args) => {
    if (isFirst) {
      isFirst = false;
      if (enabled && PRIVATE.has(name)) warnOf(set);
      if (typeof onFirst === 'function') onFirst(write);
    }
    write(...args);
  };
  for (const one of [write, log]) {
    Object.defineProperty(one, 'enabled',
      { get: () => enabled, configurable: true, enumerable: true });
  }
  return log;
}

module.exports = { debuglog };
