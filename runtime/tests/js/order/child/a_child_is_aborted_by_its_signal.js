'use strict';
const { spawn } = require('child_process');

const controller = new AbortController();
const child = spawn('sleep', ['60'], { stdio: 'ignore', signal: controller.signal });
child.on('error', (error) => console.log('error', error.name));
child.on('exit', (code, signal) => console.log('exit', code, signal));
child.on('close', () => console.log('close'));
child.on('spawn', () => {
  controller.abort();
  console.log('aborted');
});
