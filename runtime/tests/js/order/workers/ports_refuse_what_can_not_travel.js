'use strict';
// Transfers that are refused leave everything as it was; transferred files are open elsewhere.
const { MessageChannel, MessagePort, Worker, markAsUntransferable } = require('worker_threads');
const fs = require('fs');

const fails = (work) => {
  try {
    work();
    console.log('no error');
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
};
const { port1, port2 } = new MessageChannel();
const other = new MessageChannel();
fails(() => MessagePort());
fails(() => MessageChannel());
fails(() => port1.postMessage(1, 'x'));
fails(() => port1.postMessage(1, { transfer: 5 }));
fails(() => port1.postMessage(null, [port1]));
fails(() => port1.postMessage({ port: other.port1 }));
fails(() => port1.postMessage(null, [other.port1, other.port1]));
const marked = new ArrayBuffer(8);
markAsUntransferable(marked);
port1.postMessage(marked, [marked]);
console.log(marked.byteLength);
for (const options of [{ env: 5 }, { execArgv: 'x' }, { execArgv: ['--foo'] }, { argv: 'x' }]) {
  fails(() => new Worker('', { eval: true, ...options }));
}
fails(() => new Worker('file:///x'));
fails(() => new Worker(new URL('https://localhost/')));
other.port1.close();
fails(() => port1.postMessage(null, [other.port1]));

(async () => {
  const file = await fs.promises.open(__filename);
  fails(() => port1.postMessage(file));
  port2.once('message', () => {
    port2.once('message', async (moved) => {
      console.log(file.fd, moved.fd > 2, (await moved.readFile('utf8')).slice(1, 11));
      await moved.close();
      port1.close();
    });
  });
  port1.postMessage(file, [file]);
})();
