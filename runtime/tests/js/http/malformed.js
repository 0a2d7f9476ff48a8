'use strict';
// Each of these gets 400 (or 431, 413) and the end of the connection.
const http = require('http');
const net = require('net');

const post = 'POST / HTTP/1.1\r\nHost: a\r\n';
const chunked = `${post}Transfer-Encoding: chunked\r\n\r\n`;
const cases = {
  'line feeds only': 'GET / HTTP/1.1\nHost: a\n\n',
  'line feed after header': 'GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n',
  'folded header': 'GET / HTTP/1.1\r\nHost: a\r\nX: b\r\n c\r\n\r\n',
  'space before colon': 'GET / HTTP/1.1\r\nHost : a\r\n\r\n',
  'empty name': 'GET / HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n',
  'NUL in value': 'GET / HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n',
  'control in value': 'GET / HTTP/1.1\r\nHost: a\r\nX: a\x01b\r\n\r\n',
  'DEL in value': 'GET / HTTP/1.1\r\nHost: a\r\nX: a\x7fb\r\n\r\n',
  'CR in value': 'GET / HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n',
  'length and chunked': `${post}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  'chunked and length': `${post}Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n`,
  'two lengths': `${post}Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc`,
  'signed length': `${post}Content-Length: +3\r\n\r\nabc`,
  'list of lengths': `${post}Content-Length: 3, 3\r\n\r\nabc`,
  'empty length': `${post}Content-Length:\r\n\r\nabc`,
  'huge length': `${post}Content-Length: 99999999999999999999\r\n\r\nabc`,
  'chunked not last': `${post}Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n`,
  'chunked twice': `${post}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n` +
    '0\r\n\r\n',
  'bad chunk size': `${chunked}zz\r\n\r\n`,
  'chunk size with line feed': `${chunked}0\n\n`,
  'chunk size with space': `${chunked}3 \r\nabc\r\n0\r\n\r\n`,
  'huge chunk': `${chunked}fffffffffffffffff\r\nabc\r\n0\r\n\r\n`,
  'chunk too long': `${chunked}3\r\nabcd\r\n0\r\n\r\n`,
  'unknown method': 'FOO / HTTP/1.1\r\nHost: a\r\n\r\n',
  'small method': 'get / HTTP/1.1\r\nHost: a\r\n\r\n',
  'TLS': Buffer.from([0x16, 3, 1, 2, 0, 1]),
  'version 1.2': 'GET / HTTP/1.2\r\nHost: a\r\n\r\n',
  'other protocol': 'GET / HTPP/1.1\r\nHost: a\r\n\r\n',
  'space after version': 'GET / HTTP/1.1 \r\nHost: a\r\n\r\n',
  'tabs': 'GET\t/\tHTTP/1.1\r\nHost: a\r\n\r\n',
  'space in target': 'GET /a b HTTP/1.1\r\nHost: a\r\n\r\n',
  'control in target': 'GET /a\x01b HTTP/1.1\r\nHost: a\r\n\r\n',
  'word as target': 'GET foo HTTP/1.1\r\nHost: a\r\n\r\n',
  'no host': 'GET / HTTP/1.1\r\n\r\n',
  'long header': `GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(20000)}\r\n\r\n`,
  'long target': `GET /${'a'.repeat(20000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
  'long extension': `${chunked}3;${'a'.repeat(20000)}\r\nabc\r\n0\r\n\r\n`,
  'after close': 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n' +
    'GET /2 HTTP/1.1\r\nHost: a\r\n\r\n',
};
const server = http.createServer((req, res) => {
  req.on('error', () => {});
  req.resume();
  req.on('end', () => res.end('served'));
});
function send(bytes, end) {
  return new Promise((resolve) => {
    const socket = net.connect(server.address().port, '127.0.0.1', () =>
      (end ? socket.end(bytes) : socket.write(bytes)));
    let text = '';
    socket.on('data', (piece) => { text += piece; });
    socket.on('error', () => {});
    socket.on('close', () => resolve(text.split('\r\n')));
  });
}
server.listen(0, '127.0.0.1', async () => {
  for (const name of Object.keys(cases)) {
    const [first, second] = await send(cases[name]);
    console.log(name, '|', first, '|', second);
  }
  console.log('cut', (await send('GET / HTTP/1.1\r\nHost: a', true))[0]);
  server.on('clientError', (error, socket) => {
    console.log(error.name, error.code, error.message, error.reason, error.rawPacket?.length);
    socket.end('HTTP/1.1 418 mine\r\n\r\n');
  });
  console.log((await send('BAD\r\n'))[0]);
  server.close(() => console.log('closed'));
});
