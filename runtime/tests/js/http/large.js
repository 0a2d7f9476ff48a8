'use strict';
// 64 MB each way; the reader is slow, so the writer must wait, and memory stays small.
const http = require('http');
const { Readable, pipeline } = require('stream');

const SIZE = 64 * 1024 * 1024;
const PIECE = Buffer.alloc(64 * 1024, 'x');
const source = () => {
  let left = SIZE;
  return new Readable({
    highWaterMark: PIECE.length,
    read() {
      this.push(left > 0 ? PIECE : null);
      left -= PIECE.length;
    },
  });
};
function slowly(stream, done) {
  let size = 0;
  let pauses = 0;
  stream.on('data', (piece) => {
    size += piece.length;
    if (size > pauses * 8 * 1024 * 1024) {
      pauses++;
      stream.pause();
      setTimeout(() => stream.resume(), 5);
    }
  });
  stream.on('end', () => done(size, pauses));
}
let drains = 0;
const server = http.createServer((req, res) => {
  if (req.url === '/down') {
    res.on('drain', () => { drains++; });
    pipeline(source(), res, (error) => console.log('sent', error || 'well'));
  } else {
    slowly(req, (size, pauses) => {
      console.log('uploaded', size, pauses);
      res.end(String(size));
    });
  }
});
server.listen(0, () => {
  const { port } = server.address();
  http.get({ port, path: '/down' }, (res) => slowly(res, (size, pauses) => {
    console.log('downloaded', size, pauses, drains > 0);
    const before = process.memoryUsage().rss;
    let uploads = 0;
    const req = http.request({ port, method: 'POST', path: '/up' }, (answer) => {
      answer.on('data', (text) => console.log('answer', String(text)));
      answer.on('end', () => {
        console.log('waited', uploads > 0, process.memoryUsage().rss - before < 64 * 1024 * 1024);
        server.close();
      });
    });
    req.on('drain', () => { uploads++; });
    source().pipe(req);
  }));
});
