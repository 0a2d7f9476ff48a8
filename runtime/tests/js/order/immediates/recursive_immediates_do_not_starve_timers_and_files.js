'use strict';
const fs = require('fs');
const seen = new Set();
let turns = 0;

setTimeout(() => seen.add('timeout'), 5);
fs.readFile(__filename, () => seen.add('read'));
(function again() {
  if (seen.size < 2 && turns < 50000000) {
    turns++;
    setImmediate(again);
  } else {
    console.log([...seen].sort().join(), turns > 1);
  }
})();
