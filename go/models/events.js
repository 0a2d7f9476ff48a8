'use strict';
// Node with callbacks: events of a socket.
const net = require('net');

const server = net.createServer((client) => {
  let text = '';
  client.setTimeout(30000, () => client.destroy());
  client.on('error', () => {});
  client.on('data', (chunk) => {
    text += chunk;
    const lines = text.split('\n');
    text = lines.pop();
    for (const line of lines) client.write(`${line.toUpperCase()}\n`);
  });
});
server.listen(0, '127.0.0.1', 1024, () => console.log(server.address().port));
