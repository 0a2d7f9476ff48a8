// ws over TLS, with client certificates, and the errors of connections that are refused
'use strict';
const fs = require('node:fs');
const https = require('node:https');
const path = require('node:path');
const { WebSocket, WebSocketServer, createWebSocketStream } = require('ws');

const read = (name) => fs.readFileSync(path.join(process.env.KEYS, name), 'utf8');
const server = https.createServer({ key: read('server.key'), cert: read('server.pem'),
  ca: read('ca.pem'), requestCert: true, rejectUnauthorized: false });
const sockets = new WebSocketServer({ server, perMessageDeflate: { threshold: 1024 },
  verifyClient: ({ req }) => req.socket.authorized });
sockets.on('connection', (socket, request) => {
  console.log('connection', request.socket.getPeerCertificate().subject.CN, request.url);
  socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }));
  socket.on('error', () => {});
});

const opened = (socket) => new Promise((resolve, reject) => {
  socket.on('open', resolve);
  socket.on('error', reject);
});

async function echo(url, options) {
  const socket = new WebSocket(url, options);
  await opened(socket);
  const heard = [];
  await new Promise((resolve) => {
    socket.on('message', (data, isBinary) => {
      heard.push([data.length, isBinary]);
      if (heard.length === 203) resolve();
    });
    for (let i = 0; i < 200; i++) socket.send(`message ${i}`);
    socket.send(Buffer.alloc(1_000_000, 1));
    socket.send('é'.repeat(100_000));
    socket.send('');
  });
  console.log(heard.slice(-4));
  const duplex = createWebSocketStream(socket, { encoding: 'utf8' });
  duplex.write('through a stream');
  console.log(await new Promise((resolve) => duplex.once('data', resolve)));
  duplex.end();
  await new Promise((resolve) => socket.on('close', resolve));
}

server.listen(0, '127.0.0.1', async () => {
  const url = `wss://localhost:${server.address().port}/path`;
  const identity = { ca: read('ca.pem'), cert: read('client.pem'), key: read('client.key') };
  await echo(url, identity);
  await opened(new WebSocket(url, { ca: identity.ca }))
    .catch((error) => console.log(error.message));
  await opened(new WebSocket(url)).catch((error) => console.log(error.code, error.message));
  sockets.close();
  server.close(() => console.log('end'));
});
