'use strict';
const fs = require('fs');
fs.readFile(__filename, () => {
  const start = Date.now();
  let done = false;
  setTimeout(() => {
    const took = Date.now() - start;
    console.log(took >= 100 ? 'not early' : `early: ${took}`, done);
  }, 100);
  setImmediate(() => {
    const spin = Date.now();
    while (Date.now() - spin < 110);
    done = true;
    console.log('slow callback done');
  });
});
