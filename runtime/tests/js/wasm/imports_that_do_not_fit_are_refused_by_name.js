'use strict';
// (module
//   (import "m" "f" (func (param i32) (result i32)))
//   (import "m" "mem" (memory 1 2))
//   (import "m" "t" (table 1 funcref))
//   (import "m" "g" (global i32))
//   (import "m" "gm" (global (mut i64)))
//   (func (export "two") (result i32) (i32.const 2)))
const bytes = Buffer.from(
  'AGFzbQEAAAABCgJgAX8Bf2AAAX8CKAUBbQFmAAABbQNtZW0CAQECAW0BdAFwAAEBbQFnA38AAW0CZ20DfgEDAgEB' +
  'BwcBA3R3bwABCgYBBABBAgsADARuYW1lAgUCAAABAA==', 'base64');
const compiled = new WebAssembly.Module(bytes);
const memory = new WebAssembly.Memory({ initial: 1, maximum: 2 });
const table = new WebAssembly.Table({ element: 'anyfunc', initial: 1 });
const global = new WebAssembly.Global({ value: 'i64', mutable: true }, 1n);
const fitting = { f: (x) => x + 1, mem: memory, t: table, g: 3, gm: global };

function tell(work) {
  try {
    console.log('fits', work());
  } catch (error) {
    console.log(`${error.name}: ${error.message}`, error instanceof WebAssembly.LinkError);
  }
}
const link = (change) =>
  tell(() => new WebAssembly.Instance(compiled, { m: { ...fitting, ...change } }));

tell(() => new WebAssembly.Instance(compiled));
tell(() => new WebAssembly.Instance(compiled, {}));
tell(() => new WebAssembly.Instance(compiled, 5));
tell(() => new WebAssembly.Instance(5, {}));
tell(() => WebAssembly.Instance(compiled, { m: fitting }));
link({});
link({ f: 1 });
link({ mem: 1 });
link({ mem: new WebAssembly.Memory({ initial: 0, maximum: 2 }) });
link({ mem: new WebAssembly.Memory({ initial: 1, maximum: 3 }) });
link({ t: {} });
link({ t: new WebAssembly.Table({ element: 'anyfunc', initial: 0 }) });
link({ t: new WebAssembly.Table({ element: 'externref', initial: 1 }) });
link({ g: 'x' });
link({ g: 1n });
link({ gm: 1n });
link({ g: global });
const { exports: wasm } = new WebAssembly.Instance(compiled, { m: fitting });
link({ f: wasm.two });
console.log(WebAssembly.Module.imports(compiled), WebAssembly.Module.exports(compiled));
console.log(Object.isFrozen(wasm), Object.getPrototypeOf(wasm), wasm);
console.log(wasm.two.name, wasm.two.length, wasm.two === wasm.two);
