'use strict';
// Node's name internal/error_serdes.

const { pack, unpack } = require('internal/messages/errors');

module.exports = {
  serializeError: (error) => pack(error),
  deserializeError: (packed) => unpack(packed),
};
