'use strict';
const net = require('net');
const socket = new net.Socket();
socket.on('close', () => {
  console.log('close');
  const seen = [];
  const add = (name) => {
    seen.push(name);
    if (seen.length === 2) console.log(seen.sort().join());
  };
  setTimeout(() => add('timeout'), 0);
  setImmediate(() => add('immediate'));
});
socket.destroy();
process.nextTick(() => console.log('tick'));
