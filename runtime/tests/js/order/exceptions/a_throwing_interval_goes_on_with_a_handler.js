'use strict';
let runs = 0;
process.on('uncaughtException', (error) => console.log('handler', error.message));
const interval = setInterval(() => {
  if (++runs === 3) {
    clearInterval(interval);
  }
  throw new Error(`run ${runs}`);
}, 2);
