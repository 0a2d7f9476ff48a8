'use strict';
// Node's name internal/encoding.

module.exports = require('internal/encoding/encoding');
