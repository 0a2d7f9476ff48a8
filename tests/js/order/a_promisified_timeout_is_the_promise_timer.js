'use strict';
const { promisify } = require('util');

const wait = promisify(setTimeout);
const turn = promisify(setImmediate);
wait(30, 'timeout').then(console.log);
turn('immediate').then(console.log);
console.log('main');
