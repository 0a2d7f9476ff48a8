'use strict';
// Node's name internal/test/binding.

process.emitWarning('These APIs are for internal testing only. Do not use them.',
  'internal/test/binding');

module.exports = {
  internalBinding: require('exposed/bindings').internalBinding,
  primordials: require('exposed/primordials'),
};
