'use strict';
// (module
//   (type $none (func))
//   (import "m" "call" (func $call (result i32)))
//   (table 2 funcref)
//   (elem (i32.const 0) $boom)
//   (func $boom (export "boom") (unreachable))
//   (func (export "div") (param i32 i32) (result i32) (i32.div_s (local.get 0) (local.get 1)))
//   (func (export "rem") (param i32 i32) (result i32) (i32.rem_u (local.get 0) (local.get 1)))
//   (func (export "trunc") (param f64) (result i32) (i32.trunc_f64_s (local.get 0)))
//   (func (export "indirect") (param i32) (call_indirect (type $none) (local.get 0)))
//   (func (export "out") (result i32) (i32.add (call $call) (i32.const 1)))
//   (func $deep (export "deep") (call $deep)))
const bytes = Buffer.from(
  'AGFzbQEAAAABFwVgAABgAAF/YAJ/fwF/YAF8AX9gAX8AAgoBAW0EY2FsbAABAwgHAAICAwQBAAQEAXAAAgc0BwRi' +
  'b29tAAEDZGl2AAIDcmVtAAMFdHJ1bmMABAhpbmRpcmVjdAAFA291dAAGBGRlZXAABwkHAQBBAAsBAQowBwMAAAsH' +
  'ACAAIAFtCwcAIAAgAXALBQAgAKoLBwAgABEAAAsHABAAQQFqCwQAEAcLADYEbmFtZQETAwAEY2FsbAEEYm9vbQcE' +
  'ZGVlcAIRCAAAAQACAAMABAAFAAYABwAEBwEABG5vbmU=', 'base64');
let answer;
const imports = { m: { call: () => answer() } };
const { exports: wasm } = new WebAssembly.Instance(new WebAssembly.Module(bytes), imports);

function tell(work) {
  try {
    console.log(work());
  } catch (error) {
    const lines = (error.stack ?? '').split('\n').filter((line) => line.includes('wasm-function'))
      .map((line) => line.replace(/wasm\/[0-9a-f]+/, 'wasm/HASH'));
    console.log(String(error), error instanceof WebAssembly.RuntimeError, lines);
  }
}
tell(() => wasm.boom());
tell(() => wasm.div(1, 0));
tell(() => wasm.div(-(2 ** 31), -1));
tell(() => wasm.rem(1, 0));
tell(() => wasm.trunc(NaN));
tell(() => wasm.trunc(2 ** 31));
tell(() => wasm.indirect(0));
tell(() => wasm.indirect(1));
tell(() => wasm.indirect(2));
answer = () => 41;
tell(() => wasm.out());
const thrown = { is: 'the same' };
answer = () => {
  throw thrown;
};
try {
  wasm.out();
} catch (error) {
  console.log(error === thrown);
}
answer = () => wasm.div(7, 0);
tell(() => {
  try {
    return wasm.out();
  } catch (error) {
    return [error.message, error instanceof WebAssembly.RuntimeError];
  }
});
answer = () => Symbol('no number');
tell(() => {
  try {
    return wasm.out();
  } catch (error) {
    return error.message;
  }
});
try {
  wasm.deep();
} catch (error) {
  console.log(error instanceof RangeError, error.message);
}
let depth = 0;
answer = () => {
  depth++;
  return wasm.out();
};
try {
  wasm.out();
} catch (error) {
  console.log(error instanceof RangeError, depth > 100);
}
console.log(wasm.div(9, 3));
