'use strict';
// The worker's side: sets the thread up and runs its program.

const { MessagePort } = require('internal/message_port');

function start([json, portId]) {
  const options = JSON.parse(json);
  const threads = require('worker_threads');
  const control = new MessagePort(portId);
  const { message } = control._receive();
  threads.workerData = message.data;
  threads.parentPort = message.port;
  process.argv = [process.execPath, options.eval ? '[worker eval]' : options.file, ...options.argv];
  process.env = { ...options.env };
  process.chdir = () => {
    throw require('internal/errors').withCode(TypeError, 'ERR_WORKER_UNSUPPORTED_OPERATION',
      'process.chdir() is not supported in workers');
  };
  require('internal/report').printFatal = (error) => {
    let sent = error;
    if (typeof error === 'function' || typeof error === 'symbol') sent = new Error(String(error));
    control.postMessage({ kind: 'error', error: sent });
  };
  control.postMessage({ kind: 'online' });
  const main = require('internal/main');
  if (options.eval) main.runCode(options.file, '[worker eval]', {});
  else if (options.file.startsWith('data:')) main.runModule(() => import(options.file));
  else main.runFile(options.file);
}

module.exports = { start };
