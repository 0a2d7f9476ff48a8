'use strict';
const { promisify } = require('util');

const wait = promisify(setTimeout);
const turn = promisify(setImmediate);
wait(5, 'timeout').then(console.log).then(() => turn('immediate')).then(console.log);
console.log('main');
