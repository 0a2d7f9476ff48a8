'use strict';
const { constants } = require('os');
module.exports = {
  ...constants.errno, ...constants.priority, ...constants.signals, ...require('fs').constants,
};
