'use strict';
const { spawn } = require('child_process');

const child = spawn('cat', { stdio: ['pipe', 'pipe', 'inherit'] });
let text = '';
child.stdout.on('data', (chunk) => (text += chunk));
child.stdout.on('end', () => console.log('end', text));
child.on('close', (code) => console.log('close', code));
child.stdin.write('one ', () => {
  console.log('written');
  child.stdin.end('two');
});
