'use strict';
const file = `${process.env.PHASOR_TEST_ADDONS}/threads.node`;
const { Worker, isMainThread, workerData } = require('worker_threads');
const { execFileSync } = require('child_process');

const ends = {
  natural: 'globalThis.kept = require(process.argv[1]).atEnd()',
  exit: 'globalThis.kept = require(process.argv[1]).atEnd(); process.exit()',
};

if (process.argv[2] === 'worker') {
  const worker = new Worker(__filename, { workerData: file });
  worker.on('exit', (code) => console.log('the worker has ended', code));
} else if (isMainThread) {
  for (const [name, script] of Object.entries(ends)) {
    console.log(name);
    // Who looks for leaks has everything ended, also what exit() leaves.
    const env = { ...process.env, PHASOR_CHECK_LEAKS: '' };
    console.log(execFileSync(process.execPath, ['-e', script, file], { env }).toString());
  }
  console.log(execFileSync(process.execPath, [__filename, 'worker']).toString());
} else {
  globalThis.kept = require(workerData).atEnd();
}
