'use strict';
const http = require('http');
const net = require('net');

const START = 'GET /path HTTP/1.1\r\nHost: localhost\r\nX-Many:   ';
const COUNTED = '/pathHostlocalhostX-Many'.length;

async function ask(size, step, options) {
  const server = http.createServer(options, (request, response) => response.end('taken'));
  server.on('clientError', (error, socket) => socket.end(error.code));
  await new Promise((resolve) => { server.listen(0, resolve); });
  const socket = net.connect(server.address().port);
  socket.on('error', () => {});
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk) => { text += chunk; });
  const bytes = `${START}${'a'.repeat(size - COUNTED)}\r\nConnection: close\r\n\r\n`;
  for (let at = 0; at < bytes.length; at += step) {
    socket.write(bytes.slice(at, at + step));
    if (step < bytes.length) await new Promise(setImmediate);
  }
  await new Promise((resolve) => { socket.on('close', resolve); });
  console.log(size, step, text.includes('taken') ? 'taken' : text);
  server.close();
}

(async () => {
  const last = 'Connectionclose'.length;
  for (const step of [1e6, 1000]) {
    await ask(16384 - last - 1, step, {});
    await ask(16384 - last, step, {});
  }
  await ask(100 - last - 1, 7, { maxHeaderSize: 100 });
  await ask(100 - last, 7, { maxHeaderSize: 100 });
})();
