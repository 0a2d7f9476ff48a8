// Requests and responses that are odd or wrong: what is reported, and with which code.
const http = require('http');
const net = require('net');
const log = console.log;

const H = 'GET / HTTP/1.1\r\nHost: a\r\n';
const C = `${H}Transfer-Encoding: chunked\r\n\r\n`;
const requests = [
  'GET /\r\n\r\n', 'GET  /  HTTP/1.1\r\nHost: a\r\n\r\n', 'GET a://b@@c HTTP/1.1\r\n\r\n',
  'GET a HTTP/1.1\r\n\r\n', 'GET ? HTTP/1.1\r\n\r\n', 'GET /a\tb HTTP/1.1\r\n\r\n',
  'GETX / HTTP/1.1\r\n\r\n', 'get / HTTP/1.1\r\n\r\n', 'PLAY / HTTP/1.1\r\n\r\n',
  'GET / HTTP/1.2\r\n\r\n', 'GET / HTTP/1.1\n\r\n', 'GET / HTTP/1.1\rX', 'GET / HTX/1.1\r\n\r\n',
  `${H} X: y\r\n\r\n`, `${H}X : y\r\n\r\n`, `${H}X: y\r\n z\r\n\r\n`, `${H}X: a\x01\r\n\r\n`,
  `${H}X: a\nY: b\r\n\r\n`, `${H}X: a\rb\r\n\r\n`, `${H}(: y\r\n\r\n`, `${H}X:\r\n\r\n`,
  `${H}\rX`, `${H}\n`, `${H}Content-Length: 5x\r\n\r\n`, `${H}Content-Length:\r\n\r\n`,
  `${H}Content-Length: 1\r\nContent-Length: 1\r\n\r\nx`,
  `${H}Content-Length: 99999999999999999999\r\n\r\n`,
  `${H}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n`,
  `${H}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n`,
  `${H}Transfer-Encoding: gzip\r\n\r\n`, `${H}Transfer-Encoding: chunked, gzip\r\n\r\n`,
  `${H}Content-Length : 5\r\n\r\n`, `${C}g\r\n`, `${C}5 \r\nhello\r\n`, `${C}5\nhello`,
  `${C}5\r\nhellox`, `${C}5;a=b\r\nhello\r\n0\r\n\r\n`, `${C}5; a\r\n`, `${C}5;a="b\r\n`,
  `${C}5;a="b"c\r\n`, `${C}0\r\nX: y\r\n\r\n`, `${C}0\r\nX\r\n\r\n`, `${C}10000000000000000\r\n`,
];
const responses = [
  'HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n', 'HTTP/1.1 2000 OK\r\n\r\n',
  'HTTP/1.1 20 OK\r\n\r\n', 'HTTP/1.1  200 OK\r\n\r\n', 'http/1.1 200 OK\r\n\r\n',
  'HTTP/1.1 200 OK\nX: y\r\n\r\n', 'HTTP/1.1 200 OK\r\n X: y\r\n\r\n',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, gzip\r\n\r\nabc',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nabc',
  'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nab',
  'HTTP/1.0 200 \x01\r\n\r\nabc',
];

function ask(text) {
  return new Promise((resolve) => {
    const server = http.createServer((request, response) => {
      log('  request', request.method, request.url, request.httpVersion);
      request.on('error', () => {}).resume().on('end', () => response.end());
    });
    server.on('clientError', (error, socket) => {
      log('  error', error.code, error.message);
      socket.destroy();
    });
    server.listen(0, () => {
      const socket = net.connect(server.address().port, () => socket.end(text, 'latin1'));
      socket.resume().on('error', () => {}).on('close', () => server.close(resolve));
    });
  });
}

function answer(text) {
  return new Promise((resolve) => {
    const server = net.createServer((socket) => {
      socket.on('error', () => {}).once('data', () => socket.end(text, 'latin1'));
    }).listen(0, () => {
      http.get({ port: server.address().port, agent: false }, (response) => {
        log('  response', response.statusCode, JSON.stringify(response.statusMessage));
        let body = '';
        response.on('data', (data) => { body += data; }).on('error', () => {});
        response.on('close', () => { log('  body', body); server.close(resolve); });
      }).on('error', (error) => {
        log('  error', error.code, error.message);
        server.close(resolve);
      });
    });
  });
}

(async () => {
  for (const text of requests) {
    log(JSON.stringify(text));
    await ask(text);
  }
  for (const text of responses) {
    log(JSON.stringify(text));
    await answer(text);
  }
})();
