const net = require('net');
const socket = new net.Socket();
socket.on('close', function onClose() {
  setTimeout(() => console.log('timeout'), 0);
  setImmediate(() => console.log('immediate'));
});
socket.destroy();
