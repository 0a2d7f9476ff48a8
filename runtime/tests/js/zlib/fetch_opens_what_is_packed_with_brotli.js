'use strict';
const http = require('http');
const zlib = require('zlib');

const server = http.createServer((req, res) => {
  const text = `${req.headers['accept-encoding']} ${'x'.repeat(1000)}`;
  const bodies = {
    '/br': ['br', zlib.brotliCompressSync(text)],
    '/both': ['gzip, br', zlib.brotliCompressSync(zlib.gzipSync(text))],
    '/upper': ['GZIP', zlib.gzipSync(text)],
    '/unknown': ['zzz', Buffer.from(text)],
  };
  const [encoding, body] = bodies[req.url];
  res.setHeader('content-encoding', encoding);
  res.end(body);
});
server.listen(0, '127.0.0.1', async () => {
  for (const path of ['/br', '/both', '/upper', '/unknown']) {
    const answer = await fetch(`http://127.0.0.1:${server.address().port}${path}`);
    const text = await answer.text();
    console.log(path, text.length, text.slice(0, 20));
  }
  server.close();
});
