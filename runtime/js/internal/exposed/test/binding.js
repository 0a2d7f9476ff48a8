'use strict';
// Node's name internal/test/binding.

module.exports = {
  internalBinding: require('internal/exposed/bindings').internalBinding,
  primordials: require('internal/exposed/primordials'),
};
