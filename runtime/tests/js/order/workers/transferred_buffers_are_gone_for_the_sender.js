// needs: bytes
const { MessageChannel, Worker } = require('worker_threads');
const buffer = new ArrayBuffer(8);
new Uint8Array(buffer).set([1, 2, 3]);
const copied = new Uint8Array([9, 8]);
const worker = new Worker(
    `
  const { parentPort } = require('worker_threads');
  parentPort.once('message', ({ buffer, copied, port }) => {
    const bytes = new Uint8Array(buffer);
    bytes[0] = 100;
    port.postMessage('through the port');
    parentPort.once('message', () => {
      const sum = bytes.reduce((a, b) => a + b);
      parentPort.postMessage({ back: buffer, sum, copied }, [buffer]);
    });
  });
`,
    { eval: true },
);
const { port1, port2 } = new MessageChannel();
port1.on('message', message => {
    console.log('port', message);
    port1.close();
    worker.postMessage('and now');
});
worker.postMessage({ buffer, copied, port: port2 }, [buffer, port2]);
console.log('after', buffer.byteLength, copied.length);
worker.on('message', ({ back, sum, copied: again }) => {
    console.log('back', new Uint8Array(back), sum, again);
});
worker.on('exit', code => console.log('exit', code));
try {
    structuredClone(buffer);
} catch (error) {
    console.log(error.name);
}
try {
    worker.postMessage(() => {});
} catch (error) {
    console.log(error.name, error.code);
}
