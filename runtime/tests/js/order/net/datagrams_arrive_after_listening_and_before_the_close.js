'use strict';
const dgram = require('dgram');

const receiver = dgram.createSocket('udp4');
const sender = dgram.createSocket('udp4');
receiver.on('listening', () => console.log('listening'));
receiver.on('message', (message) => {
  console.log('message', message.toString());
  receiver.close(() => console.log('close callback'));
  process.nextTick(() => console.log('tick'));
  setImmediate(() => console.log('immediate'));
});
receiver.on('close', () => console.log('close'));
receiver.bind(0, '127.0.0.1', () => {
  sender.send('hello', receiver.address().port, '127.0.0.1', (error) => {
    process.on('exit', () => console.log('sent', error));
    sender.close();
  });
});
console.log('main');
