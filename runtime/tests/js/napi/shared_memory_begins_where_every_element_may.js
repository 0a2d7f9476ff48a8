'use strict';
const addon = require(`${process.env.PHASOR_TEST_ADDONS}/lifetimes.node`);

const memories = {
  shared: new SharedArrayBuffer(24),
  growing: new SharedArrayBuffer(8, { maxByteLength: 4096 }),
  wasm: new WebAssembly.Memory({ initial: 1, maximum: 2, shared: true }).buffer,
  own: new ArrayBuffer(24),
};
for (const [name, memory] of Object.entries(memories))
  console.log(name, addon.remainder(new BigInt64Array(memory, 0, 1)));
