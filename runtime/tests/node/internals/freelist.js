'use strict';
// Node's name internal/freelist: the shelf of http's parsers.

module.exports = function FreeList(...args) { return require('internal/http/shelf').shelf(...args); };
