'use strict';
// Node's name internal/util/inspect.

module.exports = {
  ...require('internal/inspect/inspect'), ...require('internal/inspect/format'),
  getStringWidth: require('internal/inspect/text').width,
  stripVTControlCharacters: require('util').stripVTControlCharacters,
};
