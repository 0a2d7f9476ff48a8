'use strict';
// Node's name internal/crypto/webidl.

module.exports = require('internal/crypto/web/webidl');
