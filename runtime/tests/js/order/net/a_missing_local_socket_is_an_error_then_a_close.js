'use strict';
const net = require('net');

const socket = net.connect('missing.sock');
socket.on('error', (error) => {
  console.log('error', error.code, error.syscall, error.address);
  setImmediate(() => console.log('immediate'));
  process.nextTick(() => console.log('tick'));
});
process.nextTick(() => console.log('first tick'));
console.log('main');
