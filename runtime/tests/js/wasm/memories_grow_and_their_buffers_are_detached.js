'use strict';
// (module
//   (memory (export "memory") 1 4)
//   (data (i32.const 8) "here")
//   (func (export "grow") (param i32) (result i32) (memory.grow (local.get 0)))
//   (func (export "size") (result i32) (memory.size))
//   (func (export "load") (param i32) (result i32) (i32.load8_u (local.get 0)))
//   (func (export "store") (param i32 i32) (i32.store (local.get 0) (local.get 1))))
const bytes = Buffer.from(
  'AGFzbQEAAAABDwNgAX8Bf2AAAX9gAn9/AAMFBAABAAIFBAEBAQQHJwUGbWVtb3J5AgAEZ3JvdwAABHNpemUAAQRs' +
  'b2FkAAIFc3RvcmUAAwofBAYAIABAAAsEAD8ACwcAIAAtAAALCQAgACABNgIACwsKAQBBCAsEaGVyZQAQBG5hbWUC' +
  'CQQAAAEAAgADAA==', 'base64');
const { exports: wasm } = new WebAssembly.Instance(new WebAssembly.Module(bytes));
const { memory } = wasm;

function tell(work) {
  try {
    console.log(work());
  } catch (error) {
    console.log(`${error.name}: ${error.message}`);
  }
}
const first = memory.buffer;
const view = new Uint8Array(first, 8, 4);
tell(() => [first === memory.buffer, first.byteLength, String.fromCharCode(...view)]);
tell(() => wasm.grow(1));
tell(() => [first === memory.buffer, first.byteLength, view.length, memory.buffer.byteLength]);
const second = memory.buffer;
tell(() => memory.grow(1));
tell(() => [second.byteLength, wasm.size(), memory.buffer.byteLength]);
tell(() => memory.grow(2));
tell(() => wasm.grow(2));
tell(() => wasm.grow(-1));
tell(() => [wasm.size(), memory.grow(0), memory.grow(1)]);
wasm.store(4 * 65536 - 4, -1);
tell(() => new Uint8Array(memory.buffer)[4 * 65536 - 1]);
tell(() => wasm.load(4 * 65536));
tell(() => wasm.load(-1));
tell(() => wasm.store(4 * 65536 - 3, 0));
tell(() => new WebAssembly.Memory());
tell(() => new WebAssembly.Memory({}));
tell(() => new WebAssembly.Memory({ initial: -1 }));
tell(() => new WebAssembly.Memory({ initial: 70000 }));
tell(() => new WebAssembly.Memory({ initial: 2, maximum: 1 }));
tell(() => new WebAssembly.Memory({ initial: 1, shared: true }));
tell(() => memory.grow(-1));
tell(() => memory.grow('x'));
tell(() => memory.grow.call({}, 1));
tell(() => memory);
