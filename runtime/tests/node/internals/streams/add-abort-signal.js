'use strict';
// Node's name internal/streams/add-abort-signal.

module.exports = {
  addAbortSignalNoValidate: require('internal/streams/abort').addUnchecked,
};
