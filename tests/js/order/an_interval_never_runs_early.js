'use strict';
const start = process.hrtime.bigint();
let runs = 0;
const interval = setInterval(() => {
    runs++;
    const elapsed = Number(process.hrtime.bigint() - start) / 1e6;
    console.log(runs, elapsed >= runs * 10 - 1);
    if (runs === 4) {
        clearInterval(interval);
    }
}, 10);
