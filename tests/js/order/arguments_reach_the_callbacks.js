'use strict';
setTimeout((...args) => console.log('timeout', args), 1, 1, 2, 3);
setImmediate((...args) => console.log('immediate', args), 'a', null);
process.nextTick((...args) => console.log('tick', args), 1, 2, 3, 4, 5);
