'use strict';
// 128 MB from a socket into a file by pipeline.
const fs = require('fs');
const net = require('net');
const os = require('os');
const path = require('path');
const { pipeline } = require('stream');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bench-'));
const file = path.join(folder, 'file');
process.on('exit', () => fs.rmSync(folder, { recursive: true }));
const chunk = Buffer.alloc(1 << 16, 'some bytes ');
let start;
const server = net.createServer((socket) => {
  pipeline(socket, fs.createWriteStream(file), (error) => {
    if (error) throw error;
    console.log(`${Number(process.hrtime.bigint() - start) / 1e6} ms`, fs.statSync(file).size);
    server.close();
  });
});
server.listen(0, '127.0.0.1', () => {
  start = process.hrtime.bigint();
  const socket = net.connect(server.address().port, '127.0.0.1');
  let left = (128 << 20) / chunk.length;
  const more = () => {
    while (left > 0 && socket.write(chunk, --left === 0 ? () => socket.end() : undefined));
  };
  socket.on('drain', more);
  more();
});
