'use strict';
const fs = require('fs');
const os = require('os');
const path = require('path');
const { spawnSync } = require('child_process');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'coverage-'));
const lines = require.resolve('./covered/lines.js');

function run(code, args = []) {
  const { status, stderr } = spawnSync(process.execPath, ['-e', code, ...args],
    { encoding: 'utf8', env: { ...process.env, NODE_V8_COVERAGE: folder } });
  const files = fs.readdirSync(folder);
  console.log(status, files.length, stderr.split('\n').find((line) => /Error/.test(line)));
  for (const name of files) {
    const { result, timestamp } = JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8'));
    const found = result.find(({ url }) => url.endsWith('/lines.js'));
    console.log(/^coverage-\d+-\d+-\d+\.json$/.test(name), timestamp > 0, found?.functions
      .map(({ functionName, ranges }) => [functionName, ranges.map(({ count }) => count)]));
    fs.rmSync(path.join(folder, name));
  }
}
const load = `const { sum } = require(${JSON.stringify(lines)}); sum(1, 2);`;
run(load);
run(`${load} process.exit(3)`);
run(`${load} throw new Error('out')`);
run(`require('worker_threads'); new (require('worker_threads').Worker)(${
  JSON.stringify(load)}, { eval: true })`);
// Of the programs that it starts, unless they are told otherwise.
run(`require('child_process').execFileSync(process.execPath, ['-e', ${
  JSON.stringify(load)}], { env: {} })`);
run(`${load} require('v8').stopCoverage()`);
run(`${load} require('v8').takeCoverage(); sum(-1, 1); require('v8').stopCoverage()`);
fs.rmSync(folder, { recursive: true });
