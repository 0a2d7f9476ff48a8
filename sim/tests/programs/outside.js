'use strict';
// A child and standard input are outside of the world, and work.
const { execFile } = require('child_process');
execFile('sh', ['-c', 'sleep 0.2; echo from the child'], (error, text) => {
  process.stdout.write(text);
  process.stdin.on('data', (data) => process.stdout.write(`read ${data}`));
  process.stdin.on('end', () => setTimeout(() => console.log('a day later'), 86400000));
});
