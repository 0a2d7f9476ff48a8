'use strict';
// stdin, stdout and stderr of a worker, through its parent.
const { Worker, isMainThread } = require('worker_threads');

if (!isMainThread) {
  console.error('to standard error');
  process.stdin.setEncoding('utf8');
  process.stdin.on('data', (text) => process.stdout.write(text.toUpperCase()));
  process.stdin.on('end', () => console.log('end of input', process.argv.slice(2)));
  return;
}

const worker = new Worker(__filename, { stdin: true, stdout: true, stderr: true, argv: [1] });
const got = { stdout: '', stderr: '' };
for (const name of ['stdout', 'stderr']) {
  worker[name].setEncoding('utf8');
  worker[name].on('data', (text) => { got[name] += text; });
}
worker.stdin.write('one ');
worker.stdin.end('two\n');
worker.on('exit', (code) => setImmediate(() => {
  console.log(code, got);
  const plain = new Worker('console.log("printed by the parent")', { eval: true });
  console.log(plain.stdin, typeof plain.stdout.on);
}));
