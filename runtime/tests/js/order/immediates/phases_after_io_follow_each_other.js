'use strict';
const fs = require('fs');
const net = require('net');
fs.readFile(__filename, () => {
  console.log('poll');
  setImmediate(() => console.log('check'));
  setTimeout(() => console.log('timers'), 0);
  process.nextTick(() => console.log('tick'));
  Promise.resolve().then(() => console.log('microtask'));
  const server = net.createServer().listen(0, () => {
    server.close(() => console.log('server closed'));
  });
});
