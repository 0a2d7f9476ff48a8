'use strict';
// (module (func (export "two") (result i32) (i32.const 2)))
const bytes = Buffer.from(
  'AGFzbQEAAAABBQFgAAF/AwIBAAcHAQN0d28AAAoGAQQAQQILAAoEbmFtZQIDAQAA', 'base64');
const vm = require('vm');

function tell(work) {
  try {
    console.log(work());
  } catch (error) {
    console.log(`${error.name}: ${error.message}`);
  }
}
const source = 'new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports.two()';
tell(() => vm.runInNewContext(source, { bytes }));
const forbidden = vm.createContext({ bytes }, { codeGeneration: { wasm: false } });
tell(() => vm.runInContext(source, forbidden));
tell(() => vm.runInNewContext('typeof WebAssembly'));
const stream = new ReadableStream({
  start(controller) {
    for (const byte of bytes) controller.enqueue(new Uint8Array([byte]));
    controller.close();
  },
});
const response = new Response(stream, { headers: { 'content-type': 'application/wasm' } });
WebAssembly.instantiateStreaming(response)
  .then(({ instance }) => console.log(instance.exports.two()));
