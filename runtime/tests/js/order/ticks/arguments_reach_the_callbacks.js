'use strict';
process.nextTick((...args) => console.log('tick', args), 1, 2, 3, 4, 5);
setImmediate((...args) => {
  console.log('immediate', args);
  setTimeout((...more) => console.log('timeout', more), 1, 1, 2, 3);
}, 'a', null);
