'use strict';
const fs = require('fs');
let ticks = 0;

setTimeout(() => console.log('timeout after', ticks, 'ticks'), 1);
fs.stat(__filename, () => console.log('stat after', ticks, 'ticks'));
setImmediate(() => console.log('immediate after', ticks, 'ticks'));
const until = Date.now() + 30;
(function again() {
    ticks++;
    if (ticks < 50000 || Date.now() < until) {
        process.nextTick(again);
    } else {
        ticks = 'all';
        process.nextTick(() => console.log('last tick'));
    }
})();
process.on('exit', () => console.log('exit'));
// The three are independent of each other.
const log = console.log;
const held = [];
console.log = (...words) => held.push(words.join(' '));
process.on('exit', () => log(held[0], '|', held.slice(1, 4).sort().join(' | ')));
