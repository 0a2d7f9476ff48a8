// An echo server and its client, over an HTTP upgrade.
'use strict';
const http = require('node:http');
const { WebSocket, WebSocketServer } = require('ws');

const server = http.createServer();
const sockets = new WebSocketServer({ server, perMessageDeflate: { threshold: 0 } });
sockets.on('connection', (socket, request) => {
  console.log('connection', request.url, request.headers.upgrade);
  socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }));
  socket.on('close', (code, reason) => console.log('server close', code, String(reason)));
});
server.listen(0, () => {
  const client = new WebSocket(`ws://127.0.0.1:${server.address().port}/path`);
  const seen = [];
  const see = (what) => {
    seen.push(what);
    if (seen.length === 4) client.close(1000, 'done');
  };
  client.on('open', () => {
    console.log('open', client.extensions);
    client.send('text');
    client.send(Buffer.from([1, 2, 3]));
    client.send('x'.repeat(100000));
    client.ping('p');
  });
  client.on('pong', (data) => see(`pong ${data}`));
  client.on('message', (data, isBinary) => {
    const start = data.subarray(0, 4).toString('hex');
    see(`${isBinary ? 'binary' : 'text'} ${data.length} ${start}`);
  });
  client.on('close', (code, reason) => {
    console.log(seen.sort().join('\n'));
    console.log('client close', code, String(reason));
    sockets.close();
    server.close(() => console.log('end'));
  });
});
