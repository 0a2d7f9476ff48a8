'use strict';
const { spawn } = require('child_process');

const child = spawn('sh', ['-c', 'echo out; echo err >&2; exit 3']);
const order = [];
child.on('spawn', () => order.push('spawn'));
child.stdout.on('data', (chunk) => order.push(`stdout ${chunk}`.trim()));
child.stdout.on('end', () => order.push('stdout end'));
child.stderr.on('data', (chunk) => order.push(`stderr ${chunk}`.trim()));
child.stderr.on('end', () => order.push('stderr end'));
child.on('exit', (code, signal) => order.push(`exit ${code} ${signal}`));
child.on('close', (code, signal) => {
  // The exit and the two pipes are independent of each other.
  console.log(order[0], '|', order.slice(1).sort().join(' | '));
  console.log(order.indexOf('stdout out') < order.indexOf('stdout end'));
  console.log('close', code, signal, child.exitCode);
});
console.log('main', typeof child.pid);
