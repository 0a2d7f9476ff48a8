'use strict';
const fs = require('fs');
const start = process.hrtime.bigint();
const elapsed = () => Number(process.hrtime.bigint() - start) / 1e6;

setTimeout(() => {
    const after = elapsed();
    console.log('timeout', after >= 100, after >= 105, after < 5000);
}, 100);

function slowRead(callback) {
    fs.readFile(__filename, () => {
        while (elapsed() < 95) {}
        callback();
    });
}

slowRead(() => {
    const from = elapsed();
    while (elapsed() - from < 10) {}
    console.log('read');
});
