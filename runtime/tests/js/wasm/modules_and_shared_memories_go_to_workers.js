'use strict';
// (module
//   (import "m" "memory" (memory 1 4 shared))
//   (func (export "add") (param i32 i32) (result i32)
//     (i32.atomic.rmw.add (local.get 0) (local.get 1)))
//   (func (export "wait") (param i32 i32 i64) (result i32)
//     (memory.atomic.wait32 (local.get 0) (local.get 1) (local.get 2)))
//   (func (export "notify") (param i32 i32) (result i32)
//     (memory.atomic.notify (local.get 0) (local.get 1)))
//   (func (export "grow") (result i32) (memory.grow (i32.const 1))))
const bytes = Buffer.from(
  'AGFzbQEAAAABEgNgAn9/AX9gA39/fgF/YAABfwIOAQFtBm1lbW9yeQIDAQQDBQQAAQACBx4EA2FkZAAABHdhaXQA' +
  'AQZub3RpZnkAAgRncm93AAMKKwQKACAAIAH+HgIACwwAIAAgASAC/gECAAsKACAAIAH+AAIACwYAQQFAAAsAEARu' +
  'YW1lAgkEAAABAAIAAwA=', 'base64');
const { Worker, isMainThread, parentPort, workerData } = require('worker_threads');

function run({ code, memory }) {
  return new WebAssembly.Instance(code, { m: { memory } }).exports;
}

function tell(work) {
  try {
    console.log(work());
  } catch (error) {
    console.log(`${error.name}: ${error.message}`);
  }
}

if (isMainThread) {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 4, shared: true });
  const code = new WebAssembly.Module(bytes);
  const wasm = run({ code, memory });
  const { buffer } = memory;
  console.log(buffer instanceof SharedArrayBuffer, Object.isFrozen(buffer), buffer.byteLength);
  console.log(wasm.add(0, 5), wasm.add(0, 5), new Int32Array(buffer)[0]);
  tell(() => wasm.wait(0, 9, -1n));
  tell(() => wasm.wait(0, 10, 1000n));
  tell(() => wasm.notify(0, 1));
  tell(() => wasm.add(2, 1));
  tell(() => wasm.wait(65536, 0, 0n));
  const worker = new Worker(__filename, { workerData: { code, memory } });
  worker.on('message', (text) => {
    console.log(text, memory.buffer.byteLength, buffer.byteLength);
    console.log(wasm.add(65536 + 8, 1));
    wasm.add(16, 1);
    wasm.notify(16, 1);
  });
  worker.on('exit', (exit) => console.log(exit, new Int32Array(memory.buffer)[0]));
  const { port1 } = new MessageChannel();
  tell(() => port1.postMessage(new WebAssembly.Memory({ initial: 1 })));
  tell(() => port1.postMessage(new WebAssembly.Table({ element: 'anyfunc', initial: 1 })));
  tell(() => port1.postMessage(new WebAssembly.Global({ value: 'i32' })));
  tell(() => structuredClone(code) instanceof WebAssembly.Module);
  port1.close();
} else {
  const wasm = run(workerData);
  wasm.add(0, 100);
  wasm.grow();
  wasm.add(65536 + 8, 41);
  parentPort.postMessage(`worker ${workerData.memory.buffer.byteLength}`);
  while (wasm.wait(16, 0, -1n) === 2);
}
