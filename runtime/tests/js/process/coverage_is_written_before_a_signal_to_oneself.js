'use strict';
const { spawnSync } = require('child_process');
const fs = require('fs');

fs.writeFileSync('program.js', 'process.kill(process.pid, "SIGINT"); setTimeout(() => {}, 1e5);');
const { signal } = spawnSync(process.execPath, ['program.js'],
  { env: { ...process.env, NODE_V8_COVERAGE: 'covered' } });
console.log(signal, fs.readdirSync('covered').length);
