'use strict';
// What the child has started itself keeps the pipe open for longer.
const { spawnSync } = require('child_process');

const start = Date.now();
const child = spawnSync('sh', ['-c', 'echo said; sleep 5; true'], { timeout: 200 });
console.log(String(child.stdout), child.status, child.signal, child.error.code);
console.log('in time', Date.now() - start < 4000);
