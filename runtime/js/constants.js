'use strict';
const { constants } = require('os');
module.exports = Object.freeze({
  ...constants.dlopen, ...constants.errno, ...constants.priority, ...constants.signals,
  ...require('fs').constants, ...require('internal/crypto/constants'),
});
