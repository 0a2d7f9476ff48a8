'use strict';
// A file of 256 MB through a socket into another one and to its end.
const fs = require('fs');
const net = require('net');
const os = require('os');
const path = require('path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bench-'));
const file = path.join(folder, 'file');
fs.writeFileSync(file, Buffer.alloc(256 << 20));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));
let bytes = 0;
let start;
const sink = net.createServer((socket) => {
  socket.on('data', (chunk) => { bytes += chunk.length; });
  socket.on('end', () => {
    console.log(`${Number(process.hrtime.bigint() - start) / 1e6} ms`, bytes);
    sink.close();
    relay.close();
  });
});
const relay = net.createServer((socket) => {
  socket.pipe(net.connect(sink.address().port, '127.0.0.1'));
});
sink.listen(0, '127.0.0.1', () => relay.listen(0, '127.0.0.1', () => {
  start = process.hrtime.bigint();
  fs.createReadStream(file).pipe(net.connect(relay.address().port, '127.0.0.1'));
}));
