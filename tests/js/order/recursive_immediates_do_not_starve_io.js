'use strict';
const fs = require('fs');
let turns = 0;
let done = false;
fs.readFile(__filename, () => {
  done = true;
  console.log('read', turns > 0);
});
(function again() {
  turns++;
  if (!done) setImmediate(again);
})();
