'use strict';
const cluster = require('cluster');
const dgram = require('dgram');
const net = require('net');

if (cluster.isWorker) {
  const [, , kind] = process.argv;
  if (kind === 'dies') process.exit(3);
  net.createServer().on('error', (error) => {
    console.log('refused:', error.code, error.syscall);
    process.disconnect();
  }).listen(Number(process.env.TAKEN), '127.0.0.1');
} else {
  const taken = net.createServer().listen(0, '127.0.0.1', () => {
    cluster.setupPrimary({ args: ['dies'] });
    cluster.fork();
    cluster.once('exit', (worker, code, signal) => {
      console.log('died', worker.id, code, signal, worker.exitedAfterDisconnect);
      cluster.setupPrimary({ args: ['listens'] });
      cluster.fork({ TAKEN: taken.address().port });
      cluster.once('exit', (next, status) => {
        console.log('then', next.id, status);
        taken.close();
        const socket = dgram.createSocket('udp4');
        socket.bind(0, '127.0.0.1', () => socket.close());
        socket.on('close', () => console.log('datagrams too'));
      });
    });
  });
}
