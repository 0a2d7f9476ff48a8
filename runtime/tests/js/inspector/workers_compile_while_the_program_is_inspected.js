'use strict';
// The engine notes where scripts can stop while a session is connected, in every thread.
const { Session } = require('inspector');
const { Worker } = require('worker_threads');

const session = new Session();
session.connect();
session.post('Debugger.enable');

const worker = new Worker(`
  const statements = [];
  for (let i = 0; i < 3; i++) statements.push(i);
  require('worker_threads').parentPort.postMessage(statements);
`, { eval: true });
worker.on('message', (message) => console.log(message));
worker.on('exit', (code) => {
  console.log('exit', code);
  session.disconnect();
});
