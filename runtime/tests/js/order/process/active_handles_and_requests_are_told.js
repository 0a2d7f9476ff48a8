const fs = require('fs');
const net = require('net');
const log = console.log;

for (let i = 0; i < 3; i++) fs.open(__filename, 'r', (error, fd) => fs.closeSync(fd));
log(process._getActiveRequests().length, process.getActiveResourcesInfo());

const server = net.createServer((socket) => {
  const handles = process._getActiveHandles();
  log(handles.includes(server), handles.includes(socket), handles.includes(client));
  log(process.getActiveResourcesInfo().filter((name) => name.startsWith('TCP')).sort());
  socket.end();
  server.close();
}).listen(0, () => { client = net.connect(server.address().port).resume(); });
let client;

process._fatalException = undefined;
server.on('close', () => { throw new Error('nobody takes it'); });
