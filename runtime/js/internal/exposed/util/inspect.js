'use strict';
// Node's name internal/util/inspect.

module.exports = {
  ...require('internal/inspect'), ...require('internal/format'),
  getStringWidth: require('internal/inspect_text').width,
  stripVTControlCharacters: require('util').stripVTControlCharacters,
};
