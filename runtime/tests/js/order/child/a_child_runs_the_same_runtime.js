'use strict';
const { spawn } = require('child_process');

if (process.argv[2] === 'child') {
  process.on('exit', (code) => console.log('child exit', code));
  process.stdin.on('data', (chunk) => console.log('child got', chunk.toString()));
  process.stdin.on('end', () => {
    process.exitCode = 7;
    console.log('child end');
  });
} else {
  const child = spawn(process.execPath, [__filename, 'child']);
  let text = '';
  child.stdout.on('data', (chunk) => (text += chunk));
  child.on('close', (code) => console.log(`${text}close ${code}`));
  child.stdin.end('hello');
}
