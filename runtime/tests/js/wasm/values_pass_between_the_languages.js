'use strict';
// (module
//   (import "m" "seen" (func $seen (param i32 i64 f32 f64 externref)))
//   (import "m" "pair" (func $pair (result i32 i64)))
//   (table (export "t") 2 funcref)
//   (global (export "g") (mut externref) (ref.null extern))
//   (func (export "pass") (param i32 i64 f32 f64 externref)
//     (call $seen (local.get 0) (local.get 1) (local.get 2) (local.get 3) (local.get 4)))
//   (func (export "swap") (result i64 i32) (local i64)
//     (call $pair)
//     (local.set 0)
//     (i64.extend_i32_s)
//     (local.set 0 (i64.add (local.get 0)))
//     (local.get 0)
//     (i32.const 7))
//   (func (export "same") (param funcref) (result funcref) (local.get 0))
//   (func (export "isNull") (param externref) (result i32) (ref.is_null (local.get 0))))
const bytes = Buffer.from(
  'AGFzbQEAAAABHQVgBX9+fXxvAGAAAn9+YAACfn9gAXABcGABbwF/AhMCAW0Ec2VlbgAAAW0EcGFpcgABAwUEAAID' +
  'BAQEAXAAAgYGAW8B0G8LBycGAXQBAAFnAwAEcGFzcwACBHN3YXAAAwRzYW1lAAQGaXNOdWxsAAUKLgQOACAAIAEg' +
  'AiADIAQQAAsSAQF+EAEhAKwgAHwhACAAQQcLBAAgAAsFACAA0QsAIwRuYW1lAQ0CAARzZWVuAQRwYWlyAg0GAAAB' +
  'AAIAAwAEAAUA', 'base64');
const pairs = [[1, 2n], new Set([3, 4n]), [1], 5, [1, 2]];
const imports = { m: { seen: (...values) => console.log(values), pair: () => pairs.shift() } };
const { exports: wasm } = new WebAssembly.Instance(new WebAssembly.Module(bytes), imports);

function tell(work) {
  try {
    console.log(work());
  } catch (error) {
    console.log(error.constructor.name, error instanceof Error);
  }
}
const object = { valueOf: () => 7.9 };
tell(() => wasm.pass(2 ** 32 + 5, 2n ** 64n - 1n, 1.1, 1.1, object));
tell(() => wasm.pass('12', '12', '0x10', object, undefined));
tell(() => wasm.pass(-1.5, false, -0, NaN, null));
tell(() => wasm.pass());
tell(() => wasm.pass(1, 1));
tell(() => wasm.pass(1n, 1n));
tell(() => wasm.pass(Symbol('x'), 1n));
for (let i = 0; i < 5; i++) tell(() => wasm.swap());
tell(() => wasm.same(null));
tell(() => wasm.same(wasm.same) === wasm.same);
tell(() => wasm.same(() => {}));
tell(() => wasm.same());
tell(() => [wasm.isNull(null), wasm.isNull(undefined), wasm.isNull(0)]);
tell(() => wasm.t.get(0));
wasm.t.set(0, wasm.isNull);
tell(() => wasm.t.get(0) === wasm.isNull);
tell(() => wasm.t.set(1, () => {}));
wasm.g.value = object;
tell(() => wasm.g.value === object);
tell(() => wasm.t.grow(1, wasm.pass));
tell(() => [wasm.t.length, wasm.t.get(2) === wasm.pass]);
tell(() => new wasm.pass());
