'use strict';
// (module (func (export "two") (result i32) (i32.const 2)))
const bytes = Buffer.from(
  'AGFzbQEAAAABBQFgAAF/AwIBAAcHAQN0d28AAAoGAQQAQQILAAoEbmFtZQIDAQAA', 'base64');
const tell = (error) => console.log(`${error.name}: ${error.message}`, error.code);

(async () => {
  console.log(WebAssembly.validate(bytes), WebAssembly.validate(bytes.subarray(1)));
  const module = await WebAssembly.compile(bytes);
  console.log(module, module instanceof WebAssembly.Module);
  console.log((await WebAssembly.instantiate(module)).exports.two());
  console.log(await WebAssembly.instantiate(bytes));
  await WebAssembly.compile(5).catch(tell);
  await WebAssembly.compile(new Uint8Array(3)).catch(tell);
  await WebAssembly.compile(new Uint8Array(0)).catch(tell);
  await WebAssembly.compile(Buffer.from('not wasm')).catch(tell);
  await WebAssembly.instantiate(5).catch(tell);
  await WebAssembly.instantiate(bytes, 5).catch(tell);
  const headers = { 'content-type': 'application/wasm' };
  console.log(await WebAssembly.compileStreaming(new Response(bytes, { headers })));
  const { instance } =
    await WebAssembly.instantiateStreaming(Promise.resolve(new Response(bytes, { headers })));
  console.log(instance.exports.two());
  await WebAssembly.compileStreaming(5).catch(tell);
  await WebAssembly.compileStreaming(new Response(bytes)).catch(tell);
  await WebAssembly.compileStreaming(new Response(bytes, { headers, status: 404 })).catch(tell);
  const used = new Response(bytes, { headers });
  await used.arrayBuffer();
  await WebAssembly.compileStreaming(used).catch(tell);
  const sections = WebAssembly.Module.customSections(module, 'name');
  console.log(sections.length, WebAssembly.Module.customSections(module, 'other'));
})();
