// Streams of the web: bytes into one's own memory, both branches of a tee, pipes and their ends,
// transforms, checks; and what Node's stream functions make of them.
const { addAbortSignal, compose, finished, pipeline, Readable } = require('stream');
const { inspect } = require('util');

const failing = (error) => `${error.name} ${error.code} ${error.message}`;
async function attempt(name, work) {
  try {
    console.log(name, await work());
  } catch (error) {
    console.log(name, failing(error));
  }
}
const textOf = async (stream) => {
  const out = [];
  for await (const chunk of stream) out.push(chunk);
  return out;
};
const numbers = (...all) => new ReadableStream({
  start(c) {
    for (const one of all) c.enqueue(one);
    c.close();
  },
});

async function bytes() {
  const source = () => new ReadableStream({
    type: 'bytes',
    pull(c) {
      const request = c.byobRequest;
      if (request === null) {
        c.enqueue(new Uint8Array([9]));
        return;
      }
      request.view[0] = 7;
      request.respond(1);
    },
  });
  const reader = source().getReader({ mode: 'byob' });
  const view = new Uint8Array(4);
  console.log(await reader.read(view), view.byteLength);
  console.log(await reader.read(new Uint16Array(2)),
    await reader.read(new DataView(new ArrayBuffer(3))));
  console.log(await reader.read(new Uint8Array(3), { min: 3 }));
  for (const wrong of [[], [1], [new Uint8Array(0)], [new Uint8Array(1), { min: 0 }],
    [new Uint8Array(1), { min: 2 }]]) await attempt('read', () => reader.read(...wrong));
  console.log(inspect(reader));
  reader.releaseLock();
  await attempt('released', () => reader.read(new Uint8Array(1)));
  await attempt('closed', () => reader.closed);
  const [one, other] = source().tee();
  const into = other.getReader({ mode: 'byob' });
  console.log(await one.getReader().read(), await into.read(new Uint8Array(2)));
  let kept;
  const closing = new ReadableStream({ type: 'bytes', pull(c) { kept = c; } });
  const last = closing.getReader({ mode: 'byob' }).read(new Uint8Array(2));
  await null;
  kept.close();
  kept.byobRequest.respond(0);
  console.log(await last);
}

async function pipes() {
  const written = [];
  const target = () => new WritableStream({ write(chunk) { written.push(chunk); },
    close() { written.push('close'); }, abort(reason) { written.push(`abort ${reason}`); } });
  await attempt('pipe', () => numbers(1, 2).pipeTo(target()));
  await attempt('source fails', () => new ReadableStream({ start(c) { c.error(new Error('a')); } })
    .pipeTo(target()));
  await attempt('target fails', () => numbers(3).pipeTo(
    new WritableStream({ write() { throw new Error('b'); } })));
  await attempt('aborted', () => numbers(4).pipeTo(target(), { signal: AbortSignal.abort('c') }));
  await attempt('kept open', () => numbers(5).pipeTo(target(), { preventClose: true }));
  console.log(written);
  const [one, other] = numbers(1, 2, 3).tee();
  console.log(await textOf(one), await textOf(other));
  const upper = new TransformStream({ transform(chunk, c) { c.enqueue(chunk * 2); },
    flush(c) { c.enqueue('end'); } });
  console.log(await textOf(numbers(1, 2).pipeThrough(upper)));
  console.log(await textOf(numbers('a€', '\ud83d', '\ude00').pipeThrough(new TextEncoderStream())
    .pipeThrough(new TextDecoderStream())));
  console.log(await textOf(ReadableStream.from([1, Promise.resolve(2)])));
  for await (const chunk of numbers(1, 2)) {
    console.log(chunk);
    break;
  }
}

async function ends() {
  let controller;
  const sink = new WritableStream({ start(c) { controller = c; }, write() {} });
  const writer = sink.getWriter();
  console.log(writer.desiredSize, writer.write(1) instanceof Promise, writer.desiredSize);
  await writer.ready;
  controller.error(new Error('gone'));
  await attempt('write', () => writer.write(2));
  await attempt('ready', () => writer.ready);
  writer.releaseLock();
  await attempt('unbound', () => writer.close());
  const terminated = new TransformStream({ start(c) { c.terminate(); } });
  await attempt('terminated', () => terminated.writable.getWriter().write(1));
  for (const work of [() => new ReadableStream(1), () => new ReadableStream({ type: 'x' }),
    () => new ReadableStream({}, { highWaterMark: -1 }),
    () => new ReadableStream().getReader({ mode: 'x' }),
    () => new ReadableStream().getReader({ mode: 'byob' }),
    () => new ReadableStreamDefaultController(),
    () => new WritableStream({ type: 1 }), () => new CountQueuingStrategy({}),
    () => Reflect.get(ReadableStream.prototype, 'locked', {}), () => ReadableStream.from({}),
    () => new ReadableStream().pipeThrough(1)]) await attempt('check', work);
  console.log(new TransformStream(), new TextDecoderStream(),
    new CountQueuingStrategy({ highWaterMark: 3 }));
}

async function withNode() {
  const done = (name) => new Promise((resolve) => {
    done[name] = (error) => {
      console.log(name, error ? failing(error) : 'done');
      resolve();
    };
  });
  let waiting = done('finished');
  const read = numbers(1);
  finished(read, done.finished);
  await textOf(read);
  await waiting;
  waiting = done('aborted');
  const aborter = new AbortController();
  finished(addAbortSignal(aborter.signal, new ReadableStream()), done.aborted);
  aborter.abort();
  await waiting;
  waiting = done('pipeline');
  const got = [];
  const twice = new TransformStream({ transform(chunk, c) { c.enqueue(chunk + chunk); } });
  pipeline(Readable.from(['a', 'b']), twice,
    new WritableStream({ write(chunk) { got.push(chunk); } }), done.pipeline);
  await waiting;
  console.log(got);
  const joined = compose(new TransformStream({ transform(chunk, c) { c.enqueue(`<${chunk}>`); } }),
    async function* (source) { for await (const chunk of source) yield `(${chunk})`; });
  joined.end('x');
  console.log((await textOf(joined)).map(String));
}

(async () => {
  await bytes();
  await pipes();
  await ends();
  await withNode();
})();
