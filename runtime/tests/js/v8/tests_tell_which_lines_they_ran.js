'use strict';
const path = require('path');
const { spawnSync } = require('child_process');

const folder = path.join(__dirname, 'covered');

function run(...words) {
  const { status, stdout, stderr } = spawnSync(process.execPath,
    ['--experimental-test-coverage', ...words], { encoding: 'utf8', cwd: folder });
  console.log(words.join(' '), status, stderr);
  const rows = stdout.replace(/\([\d.]+ms\)|duration_ms.*/g, 'D').split('\n');
  console.log(rows.slice(Math.max(0, rows.findIndex((row) => /start of cov|^TN/.test(row))))
    .join('\n'));
}
for (const reporter of ['tap', 'spec', 'lcov']) run(`--test-reporter=${reporter}`, 'some.test.js');
run('--test', '--test-reporter=tap', 'some.test.js', 'other.test.js');
run('--test', '--test-reporter=lcov', 'some.test.js', 'other.test.js');
