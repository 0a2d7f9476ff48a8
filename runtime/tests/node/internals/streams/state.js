'use strict';
// Node's name internal/streams/state.

const { getHighWaterMark, getDefault, setDefault } = require('internal/streams/state');

module.exports = {
  getHighWaterMark, setDefaultHighWaterMark: setDefault,
  getDefaultHighWaterMark: (objectMode = false) => getDefault(objectMode),
};
