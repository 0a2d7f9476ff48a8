'use strict';
// More than maxSessionMemory in one write, files that are ended at once, pipes, names that are no
// names; and what a session that holds too much refuses.
const { execFileSync } = require('child_process');
const fs = require('fs');
const http2 = require('http2');
const os = require('os');
const path = require('path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'large-'));
const file = path.join(folder, 'file');
const fifo = path.join(folder, 'fifo');
fs.writeFileSync(file, 'of a file');
execFileSync('mkfifo', [fifo]);

const ROUTES = {
    '/large': (stream) => {
        stream.respond();
        stream.end(Buffer.alloc(12e6, 'x'));
    },
    '/fd': (stream) => {
        const fd = fs.openSync(file);
        stream.on('close', () => fs.closeSync(fd));
        stream.respondWithFD(fd, { 'content-length': 9 });
        console.log('writer has ended', stream.writableEnded);
        stream.end();
    },
    '/fifo': (stream) => {
        stream.respondWithFile(fifo);
        fs.open(fifo, 'w', (error, fd) => {
            fs.writeSync(fd, 'of a pipe');
            fs.closeSync(fd);
        });
    },
    '/split': (stream) => {
        stream.respond({ good: 'yes', bad: 'foo\u0d0aSet-Cookie: foo=bar' });
        stream.end('split');
    },
    '/stays': (stream) => {
        stream.respond();
        stream.write(Buffer.alloc(2e6));
    },
};

const server = http2.createServer({ maxSessionMemory: 1 });
server.on('stream', (stream, headers) => {
    stream.on('error', () => {});
    ROUTES[headers[':path']](stream);
});
server.on('sessionError', (error) => console.log('session', error.message));

function get(client, url) {
    return new Promise((done) => {
        const req = client.request({ ':path': url });
        let size = 0;
        let text = '';
        req.on('response', ({ good, bad }) => good && console.log('fields', good, bad));
        req.on('data', (chunk) => {
            size += chunk.length;
            if (size < 100) text += chunk;
        });
        req.on('error', (error) => console.log(url, error.message));
        req.on('close', () => {
            console.log(url, size, text);
            done();
        });
    });
}

server.listen(0, async () => {
    const client = http2.connect(`http://localhost:${server.address().port}`);
    for (const url of ['/large', '/fd', '/fifo', '/split']) await get(client, url);
    const stays = client.request({ ':path': '/stays' });
    await new Promise((done) => stays.on('response', done));
    await get(client, '/fd');
    stays.close(8);
    client.close();
    server.close();
    fs.rmSync(folder, { recursive: true });
});
