'use strict';
const controller = new AbortController();
const { signal } = controller;
signal.onabort = () => console.log('onabort');
signal.addEventListener('abort', (event) => console.log(event.type, signal.aborted));
signal.throwIfAborted();
process.nextTick(() => console.log('tick'));
console.log('before', signal.aborted, signal.reason);
controller.abort('why');
console.log('after', signal.aborted, signal.reason);
controller.abort('again');
console.log(signal.reason);
try {
  signal.throwIfAborted();
} catch (reason) {
  console.log('thrown', reason);
}
const plain = AbortSignal.abort();
console.log(plain.aborted, plain.reason.name, plain.reason.code);
