'use strict';
// Starts, says so, and keeps the pool busy, so that any of its threads may be the one that moves
// the world when the host crashes. The second start ends in good order.
const fs = require('fs');
const starts = fs.existsSync('starts') ? fs.readFileSync('starts', 'utf8').length : 0;
const file = fs.openSync('starts', 'a');
fs.writeSync(file, '.');
fs.fsyncSync(file);
console.log(`start ${starts + 1}`);
if (starts === 1) {
  console.log(`after ${Math.round((Date.now() - Date.UTC(2030, 0, 1)) / 1000)} s`);
  process.exit();
}
function work() { fs.stat('starts', work); }
for (let i = 0; i < 4; i++) work();
setInterval(() => {}, 1000);
