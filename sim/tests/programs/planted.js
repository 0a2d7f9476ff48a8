'use strict';
// A bug that needs two faults in one run: a write that fails is tried once more, and only once.
const fs = require('fs');
const net = require('net');
let failures = 0;
function save(number, tries) {
  fs.writeFile(`file${number}`, 'text', (error) => {
    if (!error) return;
    if (tries > 0) throw new Error('a write was lost');
    failures++;
    save(number, tries + 1);
  });
}
for (let i = 0; i < 30; i++) setTimeout(save, i * 100, i, 0);
const server = net.createServer((socket) => socket.on('error', () => {}).pipe(socket));
server.listen(9000, () => {
  for (let i = 0; i < 10; i++) {
    const socket = net.connect(9000);
    socket.on('error', () => {}).on('data', () => socket.end());
    socket.write('hello');
  }
});
setTimeout(() => server.close(), 60000).unref();
setTimeout(() => process.exit(0), 3600000);
