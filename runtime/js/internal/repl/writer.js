'use strict';
// How results are shown, unless a server has a writer of its own.

const { inspect } = require('internal/inspect/inspect');

const writer = (value) => inspect(value, writer.options);
writer.options = { ...inspect.defaultOptions, showProxy: true };

// A server with colours has its own, so that the setting does not reach others.
function writerWith(colors) {
  if (colors === writer.options.colors) return writer;
  const own = (value) => inspect(value, own.options);
  own.options = { ...writer.options, colors };
  return own;
}

module.exports = { writer, writerWith };
