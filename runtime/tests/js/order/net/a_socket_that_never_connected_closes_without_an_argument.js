'use strict';
const net = require('net');

function watch(name, socket) {
  for (const event of ['finish', 'error', 'close']) {
    socket.on(event, (...args) => console.log(name, event, args.length, args[0] === true));
  }
  return socket;
}
watch('destroyed', new net.Socket()).destroy();
watch('failed', new net.Socket()).destroy(new Error('no'));
watch('ended', new net.Socket()).end();
process.nextTick(() => console.log('tick'));
setImmediate(() => console.log('immediate'));
