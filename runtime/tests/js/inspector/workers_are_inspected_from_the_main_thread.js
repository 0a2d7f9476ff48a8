'use strict';
// The NodeWorker domain: workers, and those that they start, speak with a client of the main
// thread.
const { Session } = require('inspector');
const { Worker, isMainThread, parentPort, workerData } = require('worker_threads');

function beWorker() {
  parentPort.postMessage('runs');
  if (workerData === 'stops') {
    debugger; // eslint-disable-line no-debugger
  } else if (workerData === 'outer') {
    const inner = new Worker(__filename, { workerData: 'inner', name: 'inner' });
    inner.on('message', (message) => parentPort.postMessage(`inner ${message}`));
    parentPort.once('message', (message) => inner.postMessage(message));
  } else {
    parentPort.once('message', () => {});
  }
}

const session = new Session();

function post(method, params) {
  session.post(method, params, (error, result) => console.log(method, error?.message ?? result));
}

function ask(sessionId, method, params) {
  session.post('NodeWorker.sendMessageToWorker',
    { sessionId, message: JSON.stringify({ id: 1, method, params }) });
}

const answered = (next) => session.once('NodeWorker.receivedMessageFromWorker', ({ params }) => {
  const { id, result, error } = JSON.parse(params.message);
  console.log(id, result ?? error);
  next();
});

// Workers that run already
function looksAtRunning(next) {
  const outer = new Worker(__filename, { workerData: 'outer', name: 'outer' });
  const attached = [];
  outer.on('message', (message) => {
    if (message === 'inner runs') {
      session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
    }
  });
  const onAttached = ({ params }) => {
    attached.push(params);
    if (attached.length < 2) return;
    attached.sort((a, b) => (a.workerInfo.title < b.workerInfo.title ? -1 : 1));
    for (const { workerInfo: { title, type, url }, waitingForDebugger } of attached) {
      console.log(title, type, url.split('/').at(-1), waitingForDebugger);
    }
    session.off('NodeWorker.attachedToWorker', onAttached);
    answered(() => outer.postMessage('end'));
    ask(attached[1].sessionId, 'Runtime.evaluate', { expression: '6 * 7' });
  };
  session.on('NodeWorker.attachedToWorker', onAttached);
  let left = 2;
  session.on('NodeWorker.detachedFromWorker', function onDetached() {
    if (--left > 0) return;
    session.off('NodeWorker.detachedFromWorker', onDetached);
    console.log('both have left');
  });
  outer.on('exit', (code) => {
    console.log('exit', code);
    post('NodeWorker.disable');
    next();
  });
}

// It stops where it starts, and at what it has asked for.
function stopAtStart(sessionId) {
  session.on('NodeWorker.receivedMessageFromWorker', ({ params }) => {
    const { method, params: { reason, callFrames } = {} } = JSON.parse(params.message);
    if (method !== 'Debugger.paused') return;
    console.log(reason, callFrames[0].location.lineNumber);
    ask(sessionId, 'Debugger.resume');
  });
  ask(sessionId, 'Debugger.enable');
  ask(sessionId, 'Runtime.runIfWaitingForDebugger');
}

// One that waits until it is told to go on, with nonsense on the way
function letsWait() {
  post('NodeWorker.enable', { waitForDebuggerOnStart: true });
  let isTold = false;
  session.once('NodeWorker.attachedToWorker', ({ params: { sessionId, waitingForDebugger } }) => {
    console.log('waits', waitingForDebugger);
    answered(() => answered(() => {
      isTold = true;
      stopAtStart(sessionId);
    }));
    ask(sessionId, 'Nothing.known');
    ask(sessionId, 'Runtime.evaluate', { expression: 'typeof beWorker' });
    session.post('NodeWorker.sendMessageToWorker', { sessionId: '1000', message: '{}' });
  });
  const worker = new Worker(__filename, { workerData: 'stops' });
  worker.on('exit', (code) => {
    console.log('exit', code, isTold);
    session.disconnect();
  });
}

if (isMainThread) {
  session.connect();
  looksAtRunning(letsWait);
} else {
  beWorker();
}
