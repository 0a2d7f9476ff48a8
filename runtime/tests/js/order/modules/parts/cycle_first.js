'use strict';
console.log('first starts');
exports.done = false;
const second = require('./cycle_second.js');
console.log('first sees second', second.done);
exports.done = true;
console.log('first ends');
