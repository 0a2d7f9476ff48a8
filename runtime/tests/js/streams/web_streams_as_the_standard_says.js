'use strict';
// What web streams answer to wrong use, bytes that readers lend, tees, pipes and transfers.
const t = async (name, work) => {
  try {
    console.log(name, 'OK', await work());
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
};
(async () => {
const rs = () => new ReadableStream();
await t('byob on default', () => rs().getReader({ mode: 'byob' }));
await t('new byob on default', () => new ReadableStreamBYOBReader(rs()));
await t('new reader bad', () => new ReadableStreamDefaultReader({}));
await t('locked', () => { const r = rs(); r.getReader(); r.getReader(); });
await t('new reader locked',
  () => { const r = rs(); r.getReader(); new ReadableStreamDefaultReader(r) });
await t('cancel locked', () => { const r = rs(); r.getReader(); return r.cancel(); });
await t('released read', () => { const r = rs().getReader(); r.releaseLock(); return r.read(); });
await t('released cancel',
  () => { const r = rs().getReader(); r.releaseLock(); return r.cancel(); });
await t('released closed', () => { const r = rs().getReader(); r.releaseLock(); return r.closed; });
await t('pending read released',
  () => { const r = rs().getReader(); const p = r.read(); r.releaseLock(); return p; });
await t('ctrl enqueue closed',
  () => { new ReadableStream({ start(c) { c.close(); c.enqueue(1); } }); });
await t('ctrl close closed', () => { new ReadableStream({ start(c) { c.close(); c.close(); } }); });
await t('size neg',
  () => { new ReadableStream({ start(c) { c.enqueue(1); } }, { size: () => -1 }); });
await t('type x', () => { new ReadableStream({ type: 'x' }); });
await t('bytes size', () => { new ReadableStream({ type: 'bytes' }, { size() {} }); });
await t('auto 0', () => { new ReadableStream({ type: 'bytes', autoAllocateChunkSize: 0 }); });
await t('hwm', () => { new ReadableStream({ type: 'bytes' }, { highWaterMark: -1 }); });
await t('pull fn', () => { new ReadableStream({ pull: 1 }); });
await t('null src', () => { new ReadableStream(null); });
await t('pipeTo bad', () => rs().pipeTo(1));
await t('pipeTo locked',
  () => { const r = rs(); r.getReader(); return r.pipeTo(new WritableStream()); });
await t('pipeTo dlocked',
  () => { const w = new WritableStream(); w.getWriter(); return rs().pipeTo(w); });
await t('pipeTo signal', () => rs().pipeTo(new WritableStream(), { signal: 1 }));
await t('pipeThrough bad', () => rs().pipeThrough({}));
await t('pipeThrough bad2', () => rs().pipeThrough({ readable: rs() }));
await t('pipeThrough null', () => rs().pipeThrough());
await t('pipeThrough locked',
  () => { const r = rs(); r.getReader(); return r.pipeThrough(new TransformStream()); });
await t('pipeTo abort', () => rs().pipeTo(new WritableStream(), { signal: AbortSignal.abort() }));
await t('pipeTo abort reason',
  () => rs().pipeTo(new WritableStream(), { signal: AbortSignal.abort(new Error('x')) }));
await t('tee locked', () => { const r = rs(); r.getReader(); return r.tee(); });
await t('values bad', () => rs().values(1));
const bs = (s = {}) => new ReadableStream({ type: 'bytes', ...s });
// What work says about a request for two bytes.
const asked = (work) => new Promise((resolve, reject) => {
  const stream = bs({ pull(c) {
    try {
      work(c);
    } catch (error) {
      reject(error);
    }
  } });
  stream.getReader({ mode: 'byob' }).read(new Uint8Array(2));
});
await t('byob read none', () => bs().getReader({ mode: 'byob' }).read());
await t('byob read 0', () => bs().getReader({ mode: 'byob' }).read(new Uint8Array(0)));
await t('byob read {}', () => bs().getReader({ mode: 'byob' }).read({}));
await t('byob min 0', () => bs().getReader({ mode: 'byob' }).read(new Uint8Array(2), { min: 0 }));
await t('byob min 3', () => bs().getReader({ mode: 'byob' }).read(new Uint8Array(2), { min: 3 }));
await t('byob released',
  () => {
    const r = bs().getReader({ mode: 'byob' });
    r.releaseLock();
    return r.read(new Uint8Array(2));
  });
await t('bytes enq 1', () => bs({ start(c) { c.enqueue(1); } }));
await t('bytes enq empty', () => bs({ start(c) { c.enqueue(new Uint8Array(0)); } }));
await t('bytes enq closed', () => bs({ start(c) { c.close(); c.enqueue(new Uint8Array(1)); } }));
await t('bytes close closed', () => bs({ start(c) { c.close(); c.close(); } }));
await t('respond', () => asked((c) => { c.byobRequest.respond(100); }));
await t('respond0', () => asked((c) => { c.byobRequest.respond(0); }));
await t('respond none', () => asked((c) => { c.byobRequest.respond(); }));
await t('respond closed 1', () => asked((c) => { c.close(); c.byobRequest.respond(1); }));
await t('newview len',
  () => asked((c) => { c.byobRequest.respondWithNewView(new Uint8Array(5)); }));
await t('newview 0',
  () => asked((c) => {
    c.byobRequest.respondWithNewView(new Uint8Array(c.byobRequest.view.buffer,0,0)); }));
await t('newview off',
  () => asked((c) => {
    c.byobRequest.respondWithNewView(new Uint8Array(c.byobRequest.view.buffer,1,1)); }));
await t('newview {}', () => asked((c) => { c.byobRequest.respondWithNewView({}); }));
await t('respond twice',
  () => asked((c) => {
    const r = c.byobRequest; r.respond(1); console.log(r.view); r.respond(1); }));
const ws = (s) => new WritableStream(s);
await t('w locked', () => { const w = ws(); w.getWriter(); w.getWriter(); });
await t('w abort locked', () => { const w = ws(); w.getWriter(); return w.abort(); });
await t('w close locked', () => { const w = ws(); w.getWriter(); return w.close(); });
await t('w close twice', () => { const w = ws(); w.close(); return w.close(); });
await t('w released write',
  () => { const w = ws().getWriter(); w.releaseLock(); return w.write(1); });
await t('w released close',
  () => { const w = ws().getWriter(); w.releaseLock(); return w.close(); });
await t('w released abort',
  () => { const w = ws().getWriter(); w.releaseLock(); return w.abort(); });
await t('w released closed',
  () => { const w = ws().getWriter(); w.releaseLock(); return w.closed; });
await t('w released ready', () => { const w = ws().getWriter(); w.releaseLock(); return w.ready; });
await t('w released desired',
  () => { const w = ws().getWriter(); w.releaseLock(); return w.desiredSize; });
await t('w write closing',
  async () => { const w = ws().getWriter(); w.close(); return w.write(1); });
await t('w close closing',
  async () => { const w = ws().getWriter(); w.close(); return w.close(); });
await t('w close closed',
  async () => { const w = ws().getWriter(); await w.close(); return w.close(); });
await t('w type', () => ws({ type: 1 }));
await t('w ctrl', () => new WritableStreamDefaultController());
await t('w writer', () => new WritableStreamDefaultWriter({}));
await t('count', () => new CountQueuingStrategy());
await t('count2', () => new CountQueuingStrategy({}));
await t('count3', () => new CountQueuingStrategy({ highWaterMark: 'x' }).highWaterMark);
await t('t readableType', () => new TransformStream({ readableType: 1 }));
await t('t transform', () => new TransformStream({ transform: 1 }));
await t('t terminate',
  async () => {
    let c;
    const x = new TransformStream({ start(k) { c = k; } });
    c.terminate();
    await x.writable.getWriter().write(1);
  });
await t('from', () => ReadableStream.from({}));
await t('from3', () => ReadableStream.from({ [Symbol.asyncIterator]: () => 1 }));
await t('from4',
  async () => {
    const wrong = { [Symbol.asyncIterator]: () => ({ next: () => 1 }) };
    for await (const x of ReadableStream.from(wrong)) console.log(x);
  });
console.log(ReadableStream.length, WritableStream.length, ReadableStream.from.length);
console.log(bs().getReader({ mode: 'byob' }), rs().getReader(), ws().getWriter());
console.log(new TransformStream(), bs(), new CountQueuingStrategy({ highWaterMark: 1 }));

const numbers = (n, type) => new ReadableStream({ type, pull(c) {
  if (n-- > 0) c.enqueue(new Uint8Array([n, n + 1]));
  else {
    c.close();
    c.byobRequest?.respond(0);
  }
} }, { highWaterMark: 0 });
const all = async (stream) => {
  const out = [];
  for await (const x of stream) out.push([...x]);
  return out;
};
const [left, right] = numbers(3, 'bytes').tee();
console.log(JSON.stringify(await Promise.all([all(left), all(right)])));
const byob = numbers(2, 'bytes').getReader({ mode: 'byob' });
console.log(await byob.read(new Uint16Array(3)));
console.log(await byob.read(new DataView(new ArrayBuffer(5), 1)));
console.log(await byob.read(new Uint8Array(1)));
console.log(await numbers(1).getReader().read(), await numbers(0).values().next());
const log = [];
const upper = new TransformStream({
  transform(chunk, c) { c.enqueue(chunk.toUpperCase()); }, flush(c) { c.enqueue('end'); } });
const sink = new WritableStream({ write(c) { log.push(c); }, close() { log.push('closed'); } });
await ReadableStream.from(['a', 'b', Promise.resolve('c')]).pipeThrough(upper).pipeTo(sink);
console.log(log.join());
const { isDisturbed, isErrored, isReadable } = require('stream');
const used = numbers(1);
console.log(isDisturbed(used), isErrored(used), isReadable(used));
await all(used);
console.log(isDisturbed(used), isErrored(used), isReadable(used));
})().catch((error) => console.log(error.name, error.message)).then(async () => {
  const { port1, port2 } = new MessageChannel();
  const source = ReadableStream.from(['x', { y: 1 }, 'z']);
  port1.postMessage(source, [source]);
  port2.on('message', async (stream) => {
    for await (const chunk of stream) console.log(chunk);
    console.log(source.locked, stream.locked);
    port2.close();
  });
});
