'use strict';
process.noDeprecation = true;
const { spawn } = require('child_process');
const dgram = require('dgram');
const net = require('net');

if (process.argv[2] === 'child') {
  const socket = dgram.createSocket('udp4');
  socket.bind({ fd: 3 }, () => {
    socket.send('from the child', Number(process.argv[3]), '127.0.0.1', () => socket.close());
  });
  return;
}

const unbound = dgram.createSocket('udp4');
try {
  unbound.setRecvBufferSize(4096);
} catch (error) {
  console.log(require('util').inspect(error).replace(/^ +at .*\n/gm, ''));
}
unbound.close();

const receiver = dgram.createSocket('udp4');
receiver.on('message', (message, from) => {
  console.log(String(message), from.port === bound.address().port);
  receiver.close();
  bound.close();
});
receiver.bind(0, '127.0.0.1', () => bound.bind(0, '127.0.0.1'));
const bound = dgram.createSocket('udp4');
bound.on('listening', () => {
  const { fd } = bound._handle;
  const server = net.createServer().listen(0, () => {
    for (const other of [fd, server._handle.fd, 12345]) {
      const socket = dgram.createSocket('udp4');
      try {
        socket.bind({ fd: other });
      } catch (error) {
        console.log(error.code, error.message);
      }
      socket.close();
    }
    server.close();
  });
  try {
    bound.setRecvBufferSize(2 ** 31);
  } catch (error) {
    console.log(error.message, error.info);
  }
  spawn(process.execPath, [__filename, 'child', receiver.address().port],
    { stdio: ['inherit', 'inherit', 'inherit', fd] });
});
