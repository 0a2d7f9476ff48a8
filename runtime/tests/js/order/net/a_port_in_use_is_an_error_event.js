'use strict';
const net = require('net');

const first = net.createServer();
first.listen(0, '127.0.0.1', () => {
  const second = net.createServer();
  second.on('error', (error) => {
    console.log(error.code, error.syscall);
    first.close(() => console.log('closed'));
  });
  second.on('listening', () => console.log('never: listening'));
  second.listen(first.address().port, '127.0.0.1');
  console.log('called');
});
