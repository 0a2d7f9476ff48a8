'use strict';
const { execFileSync, execSync, spawnSync } = require('child_process');

setTimeout(() => console.log('timeout'), 1);
process.nextTick(() => console.log('tick'));
console.log(execSync('echo one').toString().trim());
console.log(execFileSync('cat', { input: 'two' }).toString());
const { status, signal, stdout } = spawnSync('sh', ['-c', 'sleep 0.02; echo three; exit 4']);
console.log(status, signal, stdout.toString().trim());
try {
  execSync('exit 6', { stdio: 'ignore' });
} catch (error) {
  console.log('status', error.status);
}
console.log(spawnSync('./missing-program').error.code);
