'use strict';
const { Readable } = require('stream');
const readline = require('readline');

const lines = readline.createInterface({ input: Readable.from(['one\ntw', 'o\nthr', 'ee']) });
lines.on('line', (line) => console.log('line', line));
lines.on('close', () => console.log('close'));
console.log('main');
