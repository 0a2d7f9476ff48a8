'use strict';
const net = require('net');

const server = net.createServer((socket) => socket.end('abcdef'));
server.listen(0, '127.0.0.1', () => {
  const buffer = Buffer.alloc(4);
  const client = net.connect({
    port: server.address().port,
    host: '127.0.0.1',
    onread: {
      buffer,
      callback(count, given) {
        console.log(count, given === buffer, String(given.subarray(0, count)));
        return true;
      },
    },
  });
  client.on('end', () => console.log('end'));
  client.on('close', () => server.close());
});
