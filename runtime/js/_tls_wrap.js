'use strict';
module.exports = require('tls');
