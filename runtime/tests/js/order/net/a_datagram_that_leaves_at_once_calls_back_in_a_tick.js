'use strict';
const dgram = require('dgram');

const sender = dgram.createSocket('udp4');
const receiver = dgram.createSocket('udp4');
receiver.on('message', (message) => {
  console.log('message', `${message}`);
  if (`${message}` !== 'last') return;
  sender.close();
  receiver.close();
});
receiver.bind(0, '127.0.0.1', () => sender.bind(0, '127.0.0.1', () => {
  const { port } = receiver.address();
  setImmediate(() => {
    console.log('immediate');
    sender.send('last', port, '127.0.0.1', () => console.log('sent last'));
  });
  process.nextTick(() => console.log('tick'));
  Promise.resolve().then(() => console.log('microtask'));
  sender.send('first', port, '127.0.0.1', (error, size) => {
    console.log('sent first', error, size);
    process.nextTick(() => console.log('tick of first'));
  });
  sender.send('second', port, '127.0.0.1', () => console.log('sent second'));
}));
