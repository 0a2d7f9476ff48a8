'use strict';
// A client of HTTP/2 at a server that does not speak it: an error, except where nothing was said.

const net = require('net');
const http = require('http');
const http2 = require('http2');

const WORDS = 'HTTP/1.1 400 No H2 support\r\n\r\n';
const answers = {
  words: (socket) => socket.write(WORDS),
  wordsAndEnd: (socket) => socket.end(WORDS),
  littleAndEnd: (socket) => socket.end('foo'),
  nothing: (socket) => socket.destroy(),
};

function ask(name, server, done) {
  const sockets = [];
  server.on('connection', (socket) => sockets.push(socket));
  server.listen(0, () => {
    const session = http2.connect(`http://localhost:${server.address().port}`);
    const req = session.request();
    req.on('error', (error) => console.log(name, 'request', error.code, error.message));
    req.on('close', () => {
      console.log(name, 'request closes', req.rstCode);
      setTimeout(() => {
        session.destroy();
        for (const socket of sockets) socket.destroy();
        server.close(done);
      }, 50);
    });
    session.on('error', (error) => console.log(name, 'session', error.errno, error.message));
    req.resume();
  });
}

function askOthers([[name, answer], ...others]) {
  const server = net.createServer((socket) => {
    socket.on('error', () => {});
    answer(socket);
  });
  ask(name, server, () => { if (others.length > 0) askOthers(others); });
}

const server = http.createServer();
server.once('clientError', (error) => console.log(error.code, error.bytesParsed));
server.on('clientError', (error, socket) => socket.writable && socket.end(WORDS));
ask('http', server, () => askOthers(Object.entries(answers)));
