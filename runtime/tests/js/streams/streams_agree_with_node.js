const stream = require('stream');
const { pipeline, finished } = require('stream/promises');
const { text, json, buffer, arrayBuffer } = require('stream/consumers');
const { Readable, Writable, Transform, PassThrough, Duplex } = stream;
const upper = () =>
    new Transform({
        transform(chunk, encoding, done) {
            done(null, String(chunk).toUpperCase());
        },
    });
(async () => {
    const out = [];
    const sink = new Writable({
        write(chunk, encoding, done) {
            out.push(String(chunk));
            setImmediate(done);
        },
        highWaterMark: 3,
    });
    await pipeline(
        Readable.from(['ab', 'cd', 'ef']),
        upper(),
        async function* (source) {
            for await (const c of source) yield `<${c}>`;
        },
        sink,
    );
    console.log(out, sink.writableFinished, sink.destroyed);
    console.log(
        await text(Readable.from(['a', 'b'])),
        await json(Readable.from(['{"a":', '1}'])),
        await buffer(Readable.from([Buffer.from('x')])),
        (await arrayBuffer(Readable.from([Buffer.from('xy')]))).byteLength,
    );
    const objects = Readable.from([1, 2, 3, 4, 5, 6]);
    console.log(
        await objects
            .filter(x => x % 2 === 0)
            .map(async x => x * 10)
            .toArray(),
    );
    console.log(
        await Readable.from([1, 2, 3]).reduce((a, b) => a + b),
        await Readable.from([1, 2, 3]).take(2).toArray(),
        await Readable.from([1, 2, 3]).drop(1).toArray(),
        await Readable.from([3, 4]).some(x => x > 3),
        await Readable.from([3, 4]).every(x => x > 3),
        await Readable.from([3, 4]).find(x => x > 3),
        await Readable.from([1, 2])
            .flatMap(x => [x, x])
            .toArray(),
    );
    await Readable.from([1, 2]).forEach(x => console.log('each', x));
    const r = new Readable({ read() {}, highWaterMark: 4 });
    console.log(
        r.push('abcd'),
        r.readableLength,
        r.readableFlowing,
        r.readableHighWaterMark,
        r.read(2),
        String(r.read(2)),
        r.read(),
    );
    r.unshift('front');
    r.push(null);
    r.setEncoding('utf8');
    console.log(await text(r), r.readableEnded, r.readableAborted);
    const w = new Writable({
        write(chunk, encoding, done) {
            console.log('write', chunk, encoding);
            done();
        },
        decodeStrings: false,
        writev(chunks, done) {
            console.log(
                'writev',
                chunks.map(({ chunk }) => chunk),
            );
            done();
        },
        final(done) {
            console.log('final');
            done();
        },
    });
    w.cork();
    console.log(
        w.write('a'),
        w.write('b'),
        w.writableCorked,
        w.writableLength,
        w.writableNeedDrain,
    );
    w.uncork();
    w.end('last');
    await finished(w);
    for (const bad of [
        () => w.write('late'),
        () => new Readable().read(),
        () => new Writable().write(null),
        () => Readable.from(5),
    ]) {
        try {
            const result = bad();
            console.log('returned', result);
        } catch (error) {
            console.log(error.code, error.message);
        }
    }
    const d = Duplex.from(async function* (source) {
        for await (const c of source) yield String(c).length;
    });
    d.end('four');
    console.log(await d.toArray());
    const err = new PassThrough();
    err.destroy(new Error('why'));
    await finished(err).catch(error => console.log('finished', error.message));
    await pipeline(
        Readable.from(['a']),
        new Transform({
            transform(c, e, done) {
                done(new Error('in transform'));
            },
        }),
        new PassThrough().resume(),
    ).catch(error => console.log('pipeline', error.message));
    const stop = new AbortController();
    const never = new Readable({ read() {} });
    stream.addAbortSignal(stop.signal, never);
    never.on('error', error => console.log(error.name, error.code));
    stop.abort();
    await new Promise(f => never.on('close', f));
    const t = new PassThrough();
    t.end('x');
    await finished(t, { readable: false });
    console.log(
        t.writableFinished,
        stream.isReadable(t),
        stream.isErrored(err),
        stream.getDefaultHighWaterMark(false),
        stream.getDefaultHighWaterMark(true),
    );
    const composed = stream.compose(upper(), async function* (source) {
        for await (const c of source) yield `${c}!`;
    });
    composed.end('hey');
    console.log(String(await composed.toArray()));
})()
    .catch(error => console.log('failed', error))
    .finally(() => process.removeAllListeners('error'));
process.on('uncaughtException', error => console.log('uncaught', error.code));
