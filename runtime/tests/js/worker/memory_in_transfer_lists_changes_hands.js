'use strict';
// ArrayBuffers of a transfer list, large and small, with views and without, there and back.
const { MessageChannel, Worker, isMainThread, parentPort, receiveMessageOnPort,
  markAsUntransferable } = require('worker_threads');

function fill(length) {
  const bytes = new Uint8Array(length);
  for (let i = 0; i < length; i++) bytes[i] = i * 7;
  return bytes.buffer;
}

const sum = (buffer) => new Uint8Array(buffer).reduce((all, one) => all + one, 0);

if (!isMainThread) {
  parentPort.on('message', ({ buffers }) => {
    parentPort.postMessage({ buffers, sums: buffers.map(sum) }, buffers);
    if (buffers.some((one) => one.byteLength !== 0)) throw new Error('still here');
  });
} else {
  const { port1, port2 } = new MessageChannel();
  const pass = (value, list) => {
    port1.postMessage(value, list);
    return receiveMessageOnPort(port2)?.message;
  };

  const large = fill(100000);
  const view = new Uint16Array(large, 100, 50);
  const data = new DataView(large, 7, 9);
  const got = pass({ view, large, data, again: view }, [large]);
  console.log(large.byteLength, large.detached ?? true, view.length, view.byteOffset);
  console.log(got.large.byteLength, sum(got.large), got.view.buffer === got.large,
    got.view.byteOffset, got.view.length, got.view[3], got.again === got.view);
  console.log(got.data.buffer === got.large, got.data.byteOffset, got.data.byteLength);

  const small = fill(5);
  const none = new ArrayBuffer(0);
  const taken = pass([small, none, new Uint8Array(small, 1)], [none, small]);
  console.log(small.byteLength, sum(taken[0]), taken[1].byteLength, taken[2]);

  const named = fill(4000);
  console.log(pass('nothing of it', [named]), named.byteLength);
  const buffer = Buffer.alloc(9000, 'ab');
  const slice = pass({ slice: buffer.subarray(10, 14) }, [buffer.buffer]).slice;
  console.log(buffer.length, slice.constructor.name, slice.byteOffset, slice.buffer.byteLength,
    String.fromCharCode(...slice));

  const kept = fill(3000);
  for (const [value, list] of [[() => {}, [kept]], [{ f() {} }, [kept]], [1, [kept, kept]]]) {
    try {
      port1.postMessage(value, list);
    } catch (error) {
      console.log(error.name, kept.byteLength);
    }
  }
  markAsUntransferable(kept);
  const { port1: closed } = new MessageChannel();
  closed.close();
  closed.postMessage(1, [fill(2000)]);
  const grown = pass(got.large, [got.large]);
  console.log(got.large.byteLength, grown.slice(0, 99990).byteLength);

  // What nobody reads goes with the port.
  for (let i = 0; i < 100; i++) port1.postMessage(i, [fill(50000)]);
  port1.close();

  const worker = new Worker(__filename);
  let round = 0;
  const send = (buffers) => worker.postMessage({ buffers }, buffers);
  worker.on('message', ({ buffers, sums }) => {
    console.log(sums, buffers.map(sum));
    if (++round < 5) send(buffers);
    else worker.terminate().then((code) => console.log('ended', code));
  });
  send([fill(1), fill(600), fill(70000)]);
}
