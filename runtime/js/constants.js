'use strict';
const { constants } = require('os');
const { defaultCipherList, ...crypto } = require('internal/crypto/constants');
module.exports = {
  ...constants.errno, ...constants.priority, ...constants.signals, ...require('fs').constants,
  ...crypto,
};
