'use strict';
console.log('second starts');
exports.done = false;
const first = require('./cycle_first.js');
console.log('second sees first', first.done);
exports.done = true;
console.log('second ends');
