'use strict';
const fs = require('fs');
const start = Date.now();
setTimeout(() => {
  const took = Date.now() - start;
  console.log(took >= 100 ? 'not early' : `early: ${took}`);
}, 100);
const slow = Date.now();
(function read() {
  fs.readFile(__filename, () => {
    if (Date.now() - slow < 95) {
      read();
      return;
    }
    const spin = Date.now();
    while (Date.now() - spin < 10);
    console.log('read done');
  });
})();
