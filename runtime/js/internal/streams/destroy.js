'use strict';
const { native, destroyer } = require('internal/streams/core');

module.exports = {
  destroyer,
  errorOrDestroy: (stream, error, later) => native.fail(stream, error, later),
};
