'use strict';
const { fork } = require('child_process');
const { Worker, isMainThread } = require('worker_threads');

const NAMES = ['send', 'disconnect', 'channel', 'connected'];

if (!isMainThread) {
  for (const name of NAMES) console.log(name, typeof process[name], name in process);
} else if (process.argv[2] === 'child') {
  console.log(NAMES.map((name) => typeof process[name]).join(' '));
  new Worker(__filename).on('exit', () => process.disconnect());
} else {
  new Worker(__filename).on('exit', () => fork(__filename, ['child']));
}
