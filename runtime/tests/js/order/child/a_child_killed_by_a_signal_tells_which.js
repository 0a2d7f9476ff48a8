'use strict';
const { spawn } = require('child_process');

const child = spawn('sleep', ['60'], { stdio: 'ignore' });
child.on('spawn', () => {
  console.log('spawn', child.killed);
  console.log(child.kill('SIGTERM'), child.killed);
});
child.on('exit', (code, signal) => {
  console.log('exit', code, signal, child.signalCode);
  console.log(child.kill());
});
child.on('close', (code, signal) => console.log('close', code, signal));
