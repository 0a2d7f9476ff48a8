'use strict';
// (module
//   (func (export "loop") (loop (br 0)))
//   (func $again (export "again") (return_call $again)))
const bytes = Buffer.from(
  'AGFzbQEAAAABBAFgAAADAwIAAAcQAgRsb29wAAAFYWdhaW4AAQoOAgcAA0AMAAsLBAASAQsAFgRuYW1lAQgBAQVh' +
  'Z2FpbgIFAgAAAQA=', 'base64');
const { Worker, isMainThread, parentPort, workerData } = require('worker_threads');
const vm = require('vm');

if (isMainThread) {
  let left = 2;
  for (const name of ['loop', 'again']) {
    const worker = new Worker(__filename, { workerData: name });
    worker.on('message', () => worker.terminate());
    worker.on('exit', (code) => {
      console.log('exit', code);
      if (--left > 0) return;
      const { loop } = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports;
      try {
        vm.runInNewContext('loop()', { loop }, { timeout: 50 });
      } catch (error) {
        console.log(error.code);
      }
    });
  }
} else {
  const { exports: wasm } = new WebAssembly.Instance(new WebAssembly.Module(bytes));
  parentPort.postMessage('ready');
  wasm[workerData]();
}
