'use strict';
// Node's name internal/modules/esm/assert.

const { checkAttributes } = require('internal/esm/formats');

module.exports = {
  validateAttributes(url, format, attributes) {
    checkAttributes(url, format, attributes);
    return true;
  },
};
