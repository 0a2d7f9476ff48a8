'use strict';
// Node's name internal/freelist: the shelf of http's parsers, with the arguments in Node's order.

const { shelf } = require('internal/http/shelf');

module.exports = function FreeList(name, max, make) {
  return Object.assign(shelf(max, make), { name });
};
