'use strict';
module.exports = require('internal/console/console').console;
