'use strict';
// What happens to those who are slow.
const http = require('http');
const net = require('net');

function connect(port, text, done) {
  const started = Date.now();
  const socket = net.connect(port, '127.0.0.1', () => socket.write(text));
  let got = '';
  socket.on('data', (piece) => { got += piece; });
  socket.on('error', () => {});
  socket.on('close', () => done(got.split('\r\n')[0], Date.now() - started));
}
function slowHeaders() {
  const server = http.createServer({ headersTimeout: 100, requestTimeout: 400,
    connectionsCheckingInterval: 20 }, () => console.log('no request'));
  server.listen(0, '127.0.0.1', () => connect(server.address().port, 'GET / HTTP/1.1\r\nHo',
    (line, ms) => {
      console.log('slow headers', line, ms >= 100);
      server.close(slowBody);
    }));
}
function slowBody() {
  const server = http.createServer({ headersTimeout: 100, requestTimeout: 200,
    connectionsCheckingInterval: 20 }, (req) => {
    req.on('error', (error) => console.log('request', error.code, error.message));
    req.on('aborted', () => console.log('aborted'));
    req.resume();
  });
  server.listen(0, '127.0.0.1', () => connect(server.address().port,
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc', (line, ms) => {
      console.log('slow body', line, ms >= 200);
      server.close(idle);
    }));
}
function idle() {
  const server = http.createServer({ keepAliveTimeout: 100 }, (req, res) => res.end('x'));
  server.listen(0, '127.0.0.1', () => connect(server.address().port,
    'GET / HTTP/1.1\r\nHost: a\r\n\r\n', (line, ms) => {
      console.log('idle', line, ms >= 95);
      server.close(socketTimeout);
    }));
}
function socketTimeout() {
  const server = http.createServer(() => {});
  server.setTimeout(50, (socket) => {
    console.log('server timeout', socket instanceof net.Socket);
    socket.destroy();
  });
  server.listen(0, '127.0.0.1', () => connect(server.address().port,
    'GET / HTTP/1.1\r\nHost: a\r\n\r\n', (line, ms) => {
      console.log('socket timeout', JSON.stringify(line), ms >= 45);
      server.close(clientTimeout);
    }));
}
function clientTimeout() {
  const server = http.createServer(() => {});
  server.listen(0, '127.0.0.1', () => {
    const req = http.get({ port: server.address().port, host: '127.0.0.1', timeout: 50 });
    req.on('timeout', () => {
      console.log('client timeout');
      req.destroy();
    });
    req.on('error', (error) => console.log(error.code, error.message));
    req.on('close', () => {
      server.close(() => console.log('done'));
      server.closeAllConnections();
    });
  });
}
const server = http.createServer();
console.log(server.headersTimeout, server.requestTimeout, server.keepAliveTimeout, server.timeout,
  server.maxHeadersCount, server.maxRequestsPerSocket, server.listening);
slowHeaders();
