'use strict';
console.log('main starts');
const first = require('./modules/cycle_first.js');
const second = require('./modules/cycle_second.js');
console.log('main', first.done, second.done, first === require('./modules/cycle_first'));
