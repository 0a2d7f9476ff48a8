'use strict';
// Who hears of which end of a stream, and with which code: aborted is who has not ended himself.
const http2 = require('http2');

const ENDINGS = {
    destroy: (stream) => stream.destroy(),
    'destroy with an error': (stream) => stream.destroy(new Error('kaboom')),
    'close 0': (stream) => stream.close(0),
    'close 8': (stream) => stream.close(8),
    'close 2': (stream) => stream.close(2),
    end(stream) {
        stream.respond();
        stream.end('x');
    },
    'end and close'(stream) {
        stream.respond();
        stream.end('x');
        stream.close(0);
    },
    'respond and close'(stream) {
        stream.respond();
        stream.close();
    },
    'write and destroy'(stream) {
        stream.respond();
        stream.write('x');
        stream.destroy();
    },
    'end and destroy with an error'(stream) {
        stream.respond();
        stream.end('x');
        stream.destroy(new Error('kaboom'));
    },
    'signal at the client': () => {},
};
const EVENTS = ['aborted', 'error', 'close'];
const told = { __proto__: null };

function listen(name, side, stream) {
    const list = (told[name] ??= { server: [], client: [] })[side];
    for (const event of EVENTS) {
        stream.on(event, (error) => {
            const more = event === 'close' ? ` ${stream.rstCode} ${stream.aborted}`
                : event === 'error' ? ` ${error.code ?? error.message}` : '';
            list.push(event + more);
        });
    }
}

const server = http2.createServer();
server.on('stream', (stream, headers) => {
    const { ending } = headers;
    listen(`${headers[':method']} ${ending}`, 'server', stream);
    stream.on('close', () => heard());
    stream.resume();
    ENDINGS[ending](stream);
    if (ending.startsWith('signal')) controller.abort();
});
let heard;
let controller;

server.listen(0, async () => {
    const client = http2.connect(`http://localhost:${server.address().port}`);
    for (const method of ['GET', 'POST']) {
        for (const ending of Object.keys(ENDINGS)) {
            controller = new AbortController();
            const both = new Promise((done) => {
                let count = 0;
                heard = () => ++count === 2 && done();
            });
            const req = client.request({ ':method': method, ending },
                { signal: controller.signal });
            listen(`${method} ${ending}`, 'client', req);
            req.on('close', () => heard());
            req.resume();
            if (method === 'POST' && ending === 'end') req.on('end', () => req.destroy());
            await both;
        }
    }
    for (const name of Object.keys(told)) console.log(name, told[name]);
    client.close();
    server.close();
});
