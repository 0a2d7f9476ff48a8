'use strict';
const timers = require('timers/promises');

(async () => {
  console.log(await timers.setTimeout(5, 'timeout'));
  console.log(await timers.setImmediate('immediate'));
  let count = 0;
  for await (const value of timers.setInterval(2, 'interval')) {
    console.log(value, ++count);
    if (count === 3) {
      break;
    }
  }
  console.log('end');
})();
process.on('exit', () => console.log('exit'));
