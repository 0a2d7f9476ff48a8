'use strict';
// What a worker does not take goes to another, a shared port that is taken is refused, and a
// descriptor is listened on by the primary.
const cluster = require('cluster');
const dgram = require('dgram');
const net = require('net');
const path = require('path');
const { spawn } = require('child_process');

const [, , kind] = process.argv;

function worker() {
  if (kind === 'full') {
    const server = net.createServer((socket) => {
      process.send('connection');
      socket.resume();
    });
    server.maxConnections = Number(process.env.MOST);
    server.listen(process.env.PLACE, () => process.send('listening'));
    process.on('message', () => process.disconnect());
  } else if (kind === 'taken') {
    net.createServer().on('error', (error) => {
      console.log('refused:', error.code);
      cluster.worker.disconnect();
    }).listen(Number(process.env.TAKEN));
  } else if (kind === 'descriptor') {
    net.createServer((socket) => socket.end('from the worker\n'))
      .listen({ fd: 3 }, () => process.send('listening'));
  } else {
    const socket = dgram.createSocket('udp4');
    cluster._getServer = (self, options, callback) => {
      socket.close(() => cluster.worker.disconnect());
      callback(-1);
    };
    socket.on('error', () => console.log('told of an error after its end'));
    socket.bind();
  }
}

function full(next) {
  const place = path.join(process.env.TMPDIR || '/tmp', `full-${process.pid}.sock`);
  cluster.setupPrimary({ args: ['full'] });
  const counts = {};
  let listening = 0;
  const workers = [1, 3].map((MOST) => {
    const one = cluster.fork({ MOST, PLACE: place });
    one.on('message', (message) => {
      if (message === 'listening') {
        if (++listening < 2) return;
        for (let i = 0; i < 4; i++) net.connect(place).on('error', () => {});
        return;
      }
      counts[MOST] = (counts[MOST] ?? 0) + 1;
      if (Object.values(counts).reduce((a, b) => a + b) < 4) return;
      for (const each of workers) each.send('leave');
    });
    return one;
  });
  let gone = 0;
  for (const one of workers) {
    one.on('exit', () => {
      if (++gone < 2) return;
      console.log('full:', counts);
      next();
    });
  }
}

function taken(next) {
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ args: ['taken'] });
  const server = net.createServer().listen(0, () => {
    cluster.fork({ TAKEN: server.address().port }).on('exit', (code) => {
      console.log('taken:', code);
      cluster.schedulingPolicy = cluster.SCHED_RR;
      server.close(next);
    });
  });
}

// A process of its own has the socket as its descriptor 3.
function descriptor(next) {
  const server = net.createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address();
    const child = spawn(process.execPath, [__filename, 'primary'],
      { stdio: [0, 1, 2, server._handle, 'ipc'] });
    server.close();
    child.on('message', () => {
      net.connect(port, '127.0.0.1').setEncoding('utf8').on('data', (text) => {
        console.log('descriptor:', text.trim());
        child.disconnect();
      });
    });
    child.on('exit', () => next());
  });
}

function primaryOfDescriptor() {
  cluster.setupPrimary({ args: ['descriptor'] });
  const one = cluster.fork();
  one.on('message', () => process.send('listening'));
  process.on('disconnect', () => one.process.kill());
}

function datagrams() {
  cluster.setupPrimary({ args: ['datagrams'] });
  cluster.fork().on('exit', (code) => {
    console.log('datagrams:', code);
    process.exit();
  });
}

if (cluster.isWorker) worker();
else if (kind === 'primary') primaryOfDescriptor();
else full(() => taken(() => descriptor(datagrams)));
