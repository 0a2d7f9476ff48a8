'use strict';
let n = 0;
process.on('uncaughtException', (error) => console.log('caught', error.message));
const interval = setInterval(() => {
  if (++n === 3) clearInterval(interval);
  throw new Error(`turn ${n}`);
}, 2);
