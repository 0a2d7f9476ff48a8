'use strict';
const fs = require('fs');
const start = Date.now();
let read = false;
setTimeout(() => {
  const took = Date.now() - start;
  console.log(took >= 100 ? 'not early' : `early: ${took}`, read);
}, 100);
fs.readFile(__filename, () => {
  read = true;
  const spin = Date.now();
  while (Date.now() - spin < 110);
  console.log('read done');
});
