'use strict';
// A server answers a client, with every property a reader sees.
const http = require('http');

const server = http.createServer((req, res) => {
  console.log('request', req.method, req.url, req.httpVersion, req.complete);
  console.log(req.rawHeaders.slice(0, 1), typeof req.headers.host, req.headers.connection);
  res.setHeader('X-A', '1');
  console.log(res.headersSent, res.statusCode, res.writableEnded, res.finished);
  res.end('hello', () => console.log('end callback'));
  console.log(res.headersSent, res.writableEnded, res.finished);
  res.on('finish', () => console.log('response finish'));
  res.on('close', () => console.log('response close', res.destroyed));
});
server.on('close', () => console.log('server close'));
server.listen(0, '127.0.0.1', () => {
  const { port, address, family } = server.address();
  console.log(typeof port, address, family, server.listening);
  const req = http.get(`http://127.0.0.1:${port}/path?a=b#c`, (res) => {
    console.log(res.statusCode, res.statusMessage, res.httpVersion, Object.keys(res.headers));
    console.log(res.headers['content-length'], res.headers['x-a'], res.headers.connection,
      res.headers['keep-alive']);
    res.setEncoding('utf8');
    let body = '';
    res.on('data', (text) => { body += text; });
    res.on('end', () => console.log('end', body, res.complete));
    res.on('close', () => {
      console.log('incoming close');
      server.close();
    });
  });
  console.log(req.method, req.path, req.host, req.protocol, req.getHeader('host') ===
    `127.0.0.1:${port}`, req.reusedSocket);
  req.on('socket', () => console.log('socket'));
  req.on('finish', () => console.log('request finish'));
  req.on('close', () => console.log('request close'));
});
