'use strict';
const { exec, execFile } = require('child_process');

const child = exec('echo out; echo err >&2', (error, stdout, stderr) => {
  console.log('exec', error, stdout.trim(), stderr.trim());
  exec('exit 5', (error) => {
    console.log('failed', error.code, error.killed, error.cmd);
    execFile('sh', ['-c', 'kill -9 $$'], (error) => {
      console.log('killed', error.code, error.signal);
    });
  });
});
child.on('exit', (code) => console.log('exit', code));
console.log('main');
