'use strict';
const fs = require('fs');
const { pipeline } = require('stream');

fs.writeFileSync('from', 'x'.repeat(200000));
const input = fs.createReadStream('from');
const output = fs.createWriteStream('to');
input.on('end', () => console.log('input end'));
output.on('finish', () => console.log('output finish'));
output.on('close', () => console.log('output close'));
pipeline(input, output, (error) => {
  console.log('callback', error, fs.statSync('to').size);
});
console.log('main');
