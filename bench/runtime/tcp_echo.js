'use strict';
// tcp_echo.js [CONNECTIONS]: round trips of 64 bytes for two seconds, server and clients in one.
const net = require('net');
const connections = Number(process.argv[2] ?? 1);
const message = Buffer.alloc(64, 'x');
let trips = 0;
const server = net.createServer((socket) => {
  socket.on('data', (data) => socket.write(data));
  socket.on('error', () => {});
});
server.listen(0, '127.0.0.1', () => {
  const clients = [];
  for (let i = 0; i < connections; i++) {
    const client = net.connect(server.address().port, '127.0.0.1');
    client.on('connect', () => client.write(message));
    client.on('data', () => {
      trips++;
      client.write(message);
    });
    client.on('error', () => {});
    clients.push(client);
  }
  setTimeout(() => {
    console.log(`${Math.round(trips / 2)} round trips/s`);
    for (const client of clients) client.destroy();
    server.close();
    process.exit();
  }, 2000);
});
