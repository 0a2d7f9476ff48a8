'use strict';
const dns = require('dns');
const { Worker, isMainThread, parentPort, workerData } = require('worker_threads');
const { answer, start } = require('./lib/server');

function inWorker() {
  dns.setServers([workerData]);
  dns.resolve4('known.example', (error, found) => {
    parentPort.postMessage(found);
    dns.resolveMx('silent.example', () => console.log('never'));
    parentPort.postMessage('waits');
  });
}

function inMain() {
  start((query, { name }) => (name === 'known.example'
    ? answer(query, [{ type: 'A', data: '1.2.3.4' }]) : undefined), (server) => {
    const worker = new Worker(__filename, { workerData: server.address });
    worker.on('message', (message) => {
      console.log(message);
      if (message === 'waits') worker.terminate();
    });
    worker.on('exit', () => {
      console.log('ended', dns.getServers().includes(server.address));
      server.close();
    });
  });
}

if (isMainThread) inMain();
else inWorker();
