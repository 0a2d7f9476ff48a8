'use strict';
// Node's name internal/freelist: the shelf of http's parsers.

const { shelf } = require('internal/http/shelf');

module.exports = function FreeList(...args) { return shelf(...args); };
