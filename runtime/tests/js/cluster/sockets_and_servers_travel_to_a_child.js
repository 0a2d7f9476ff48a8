'use strict';
const { fork } = require('child_process');
const dgram = require('dgram');
const net = require('net');

function child() {
  process.on('message', (message, handle) => {
    if (message === 'socket') handle.end(`from the child, a ${handle.constructor.name}`);
    if (message === 'server') {
      handle.on('connection', (socket) => socket.end('the child accepts', () => handle.close()));
      process.send('listens');
    }
    if (message === 'udp') {
      handle.on('message', (bytes) => {
        process.send(`datagram ${bytes}`);
        handle.close();
      });
      process.send('receives');
    }
    if (message === 'bye') process.disconnect();
  });
}

function get(port, done) {
  let text = '';
  net.connect(port, '127.0.0.1').on('data', (data) => { text += data; })
    .on('end', () => done(text));
}

function parent() {
  const other = fork(__filename, ['child']);
  for (const wrong of [{}, 5, 'text', new Map()]) {
    try {
      other.send('nothing', wrong);
    } catch (error) {
      console.log(error.name, error.code, error.message);
    }
  }
  const first = net.createServer((socket) => {
    other.send('socket', socket, (error) => console.log('sent', error));
  });
  const second = net.createServer();
  const datagrams = dgram.createSocket('udp4');
  let port;
  other.on('message', (message) => {
    console.log('child:', message);
    if (message === 'listens') {
      second.close();
      get(port, (text) => {
        console.log(text);
        datagrams.bind(0, '127.0.0.1', () => other.send('udp', datagrams));
      });
    }
    if (message === 'receives') {
      const { port: to } = datagrams.address();
      datagrams.close();
      const sender = dgram.createSocket('udp4');
      sender.send('hello', to, '127.0.0.1', () => sender.close());
    }
    if (message.startsWith('datagram')) other.send('bye');
  });
  other.on('exit', (code) => console.log('exit', code));
  first.listen(0, '127.0.0.1', () => get(first.address().port, (text) => {
    console.log(text);
    first.close();
    second.listen(0, '127.0.0.1', () => {
      ({ port } = second.address());
      other.send('server', second);
    });
  }));
}

if (process.argv[2] === 'child') child();
else parent();
