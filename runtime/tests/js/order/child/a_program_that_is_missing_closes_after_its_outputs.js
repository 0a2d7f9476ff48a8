'use strict';
const { spawn } = require('child_process');

const child = spawn('/there/is/no/such/program');
child.on('error', (error) => console.log('error', error.code));
child.on('exit', () => console.log('exit'));
child.on('close', (code, signal) => console.log('close', code, signal));
child.stderr.on('end', () => console.log('stderr end'));
child.stdout.on('close', (...args) => console.log('stdout close', args));
child.stdin.on('close', (...args) => console.log('stdin close', args));
const silent = spawn('/there/is/no/such/program', { stdio: 'ignore' });
silent.on('error', () => console.log('silent error'));
silent.on('close', (code) => console.log('silent close', code));
process.nextTick(() => console.log('tick'));
Promise.resolve().then(() => console.log('microtask'));
setImmediate(() => {
  console.log('immediate');
  setImmediate(() => console.log('next immediate'));
});
