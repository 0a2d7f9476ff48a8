'use strict';
// A client that waited for it lets it run; only files stop at their first line.
const { Session } = require('inspector');
const { Worker } = require('worker_threads');

const session = new Session();
session.connect();
session.on('NodeWorker.attachedToWorker', ({ params: { sessionId, waitingForDebugger } }) => {
  console.log('waits', waitingForDebugger);
  ['Debugger.enable', 'Runtime.runIfWaitingForDebugger'].forEach((method, id) => {
    session.post('NodeWorker.sendMessageToWorker',
      { sessionId, message: JSON.stringify({ id, method }) });
  });
});
session.on('NodeWorker.receivedMessageFromWorker', ({ params }) => {
  const { method } = JSON.parse(params.message);
  if (method === 'Debugger.paused') console.log(method);
});
session.post('NodeWorker.enable', { waitForDebuggerOnStart: true }, () => {
  new Worker('require("worker_threads").parentPort.postMessage("runs")', { eval: true })
    .on('message', console.log)
    .on('exit', (code) => console.log('exit', code));
});
