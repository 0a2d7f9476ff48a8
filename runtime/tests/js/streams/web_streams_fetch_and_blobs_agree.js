'use strict';
const http = require('http');
const zlib = require('zlib');
const { ReadableStream: Same } = require('stream/web');

async function streams() {
    console.log(Same === ReadableStream);
    const numbers = new ReadableStream({
        start(controller) {
            this.next = 0;
            controller.enqueue('first');
        },
        pull(controller) {
            if (this.next === 3) controller.close();
            else controller.enqueue(this.next++);
        },
    });
    const all = [];
    for await (const item of numbers) all.push(item);
    console.log(all, numbers.locked);

    const [left, right] = ReadableStream.from(['a', 'b']).tee();
    console.log(
        (await Array.fromAsync?.(left)) ?? ['a', 'b'],
        (await right.getReader().read()).value,
    );
    const written = [];
    await ReadableStream.from([1, 2, 3])
        .pipeThrough(
            new TransformStream({
                transform: (n, c) => c.enqueue(n * 2),
                flush: c => c.enqueue('end'),
            }),
        )
        .pipeTo(
            new WritableStream({
                write: n => {
                    written.push(n);
                },
                close: () => {
                    written.push('closed');
                },
            }),
        );
    console.log(written);
}

async function endings() {
    const failing = new ReadableStream({
        pull() {
            throw new Error('in pull');
        },
    });
    await failing
        .getReader()
        .read()
        .catch(error => console.log(error.message));
    const cancelled = new ReadableStream({ cancel: reason => console.log('cancel', reason) });
    await cancelled.cancel('enough');
    const writer = new WritableStream({}, { highWaterMark: 2 }).getWriter();
    console.log(writer.desiredSize);
    writer.write('x');
    console.log(writer.desiredSize);
    await writer.close();
    let text = '';
    for await (const part of new Blob(['é', new Uint8Array([33])])
        .stream()
        .pipeThrough(new TextDecoderStream()))
        text += part;
    console.log(text);
}

async function blobs() {
    const blob = new Blob(['hello ', new Blob(['world'])], { type: 'Text/Plain' });
    console.log(blob.size, blob.type, await blob.text(), await blob.slice(1, 4).text(), blob);
    const file = new File(['x'], 'name.txt', { lastModified: 5 });
    console.log(file.name, file.lastModified, file instanceof Blob, String(file));
}

const server = http.createServer((req, res) => {
    let body = '';
    req.on('data', chunk => {
        body += chunk;
    });
    req.on('end', () => {
        if (req.url === '/old') {
            res.writeHead(302, { location: '/new' }).end();
        } else if (req.url === '/packed') {
            res.writeHead(200, { 'content-encoding': 'gzip' }).end(zlib.gzipSync('packed'));
        } else {
            res.writeHead(req.url === '/none' ? 404 : 200, {
                'content-type': 'application/json',
                'set-cookie': ['a=1', 'b=2'],
            });
            res.end(JSON.stringify([req.method, req.url, req.headers['content-type'], body]));
        }
    });
});

async function fetches() {
    const base = `http://127.0.0.1:${server.address().port}`;
    for (const [path, init] of [
        ['/a?b=1'],
        ['/post', { method: 'post', body: 'text' }],
        ['/form', { method: 'POST', body: new URLSearchParams({ q: 'é' }) }],
        ['/old'],
        ['/none'],
        ['/old', { redirect: 'manual' }],
    ]) {
        const res = await fetch(base + path, init);
        console.log(
            path,
            res.status,
            res.ok,
            res.redirected,
            res.url.replace(base, ''),
            res.type,
            res.headers.getSetCookie(),
            await res.text(),
        );
    }
    console.log(await (await fetch(`${base}/packed`)).text());
    const twice = await fetch(base);
    console.log(
        (await twice.clone().json())[0],
        twice.bodyUsed,
        (await twice.json())[0],
        twice.bodyUsed,
    );
    const closed = http.createServer();
    await new Promise(resolve => closed.listen(0, '127.0.0.1', resolve));
    const { port } = closed.address();
    await new Promise(resolve => closed.close(resolve));
    await fetch(`http://127.0.0.1:${port}/`).catch(error =>
        console.log(error.message, error.cause.code),
    );
    await fetch(base, { signal: AbortSignal.abort() }).catch(error => console.log(error.name));
    const made = Response.json({ x: 1 }, { status: 201 });
    console.log(made.status, made.headers.get('content-type'), await made.json());
    console.log([...new Headers({ B: 2, a: '1' })], new Headers([['x', 'y']]).has('X'));
}

streams()
    .then(endings)
    .then(blobs)
    .then(() =>
        server.listen(0, '127.0.0.1', () =>
            fetches().finally(() => {
                server.close();
                server.closeAllConnections();
            }),
        ),
    );
