'use strict';
console.log('main starts');
const first = require('./parts/cycle_first.js');
const second = require('./parts/cycle_second.js');
console.log('main', first.done, second.done, first === require('./parts/cycle_first'));
