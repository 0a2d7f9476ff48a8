'use strict';
const { spawn } = require('child_process');
const child = spawn('sh', ['-c', 'echo out; exit 3']);
child.on('spawn', () => console.log('spawn'));
child.stdout.on('data', (data) => console.log('data', String(data).trim()));
child.stdout.on('end', () => ended('end'));
child.on('exit', (code, signal) => ended(`exit ${code} ${signal}`));
child.on('close', (code) => console.log('close', code));
const seen = [];
function ended(what) {
  seen.push(what);
  if (seen.length === 2) console.log(seen.sort().join());
}
