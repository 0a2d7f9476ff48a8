const { MessageChannel } = require('worker_threads');
const { port1, port2 } = new MessageChannel();
for (const port of [port1, port2]) port.on('message', () => port.postMessage(0));
port1.postMessage(0);
const waited = new Set(['immediate', 'timer', 'file']);
function done(name) {
  waited.delete(name);
  if (waited.size === 0) {
    console.log('all');
    process.exit();
  }
}
setImmediate(done, 'immediate');
setTimeout(done, 5, 'timer');
require('fs').stat('.', () => done('file'));
