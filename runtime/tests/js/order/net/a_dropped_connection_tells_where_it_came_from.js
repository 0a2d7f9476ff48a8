'use strict';
const net = require('net');

const server = net.createServer((socket) => socket.on('error', () => {}));
server.maxConnections = 1;
server.on('drop', (data) => {
  console.log(Object.keys(data), data.localAddress, data.remoteFamily);
  server.close();
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address();
  const first = net.connect(port, '127.0.0.1', () => {
    const second = net.connect(port, '127.0.0.1');
    second.on('error', () => {});
    second.on('close', () => first.destroy());
    second.resume();
  });
});
