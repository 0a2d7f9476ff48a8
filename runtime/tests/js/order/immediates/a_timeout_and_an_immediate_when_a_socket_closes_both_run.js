'use strict';
// Either order is legal.
const net = require('net');
const seen = [];

const socket = new net.Socket();
socket.on('close', () => {
  seen.push('close');
  setTimeout(() => seen.push('timeout'), 0);
  setImmediate(() => seen.push('immediate'));
});
socket.destroy();
process.on('exit', () => console.log(seen.sort().join()));
