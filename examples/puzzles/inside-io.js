// Inside an I/O callback: which comes first, a timeout of 0 or an immediate?
'use strict';
const fs = require('fs');

function spin(ms) {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

fs.readFile(__filename, function onRead() {
  setTimeout(function timeout() { console.log('timeout'); }, 0);
  setImmediate(function immediate() { console.log('immediate'); });
  spin(5); // the timeout is long due when this callback returns
});
