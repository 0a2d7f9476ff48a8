'use strict';
// Node's name internal/url.

module.exports = require('internal/url');
