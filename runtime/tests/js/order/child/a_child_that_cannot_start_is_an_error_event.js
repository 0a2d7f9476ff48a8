'use strict';
const { spawn } = require('child_process');

const child = spawn('./missing-program', ['x']);
child.on('spawn', () => console.log('never: spawn'));
child.on('error', (error) => console.log('error', error.code, error.syscall, error.path));
child.on('exit', () => console.log('never: exit'));
child.on('close', (code) => console.log('close', code));
console.log('main', child.pid);
process.nextTick(() => console.log('tick'));
