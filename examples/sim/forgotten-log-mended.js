'use strict';
// The mended forgotten-log.js: the server syncs the log before it says "stored".
const assert = require('assert');
const fs = require('fs');
const os = require('os');
const path = require('path');
const sim = require('phasor:sim');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'phasor-log-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));

const server = sim.host('server', (log) => {
  const fs = require('fs');
  const serve = (file) => require('net').createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (order) => {
      try {
        fs.writeSync(file, `${order}\n`);
      } catch {
        return; // the disk is full: nothing is confirmed
      }
      fs.fsync(file, (error) => { if (!error) socket.write('stored'); });
    });
  }).listen(7000);
  (function open() {
    try {
      serve(fs.openSync(log, 'a'));
    } catch {
      setTimeout(open, 10); // the disk is full
    }
  })();
}, path.join(folder, 'log'));

sim.host('client', () => {
  const net = require('net');
  const sim = require('phasor:sim');
  let stored = 0;
  const socket = net.connect(7000, 'server', () => socket.write('order 1'));
  socket.on('error', () => {});
  socket.on('data', () => {
    sim.publish('stored', ++stored);
    socket.write(`order ${stored + 1}`);
  });
});

setTimeout(async () => {
  await server.crash();
  const lines = fs.existsSync(path.join(folder, 'log'))
    ? fs.readFileSync(path.join(folder, 'log'), 'utf8').split('\n').length - 1 : 0;
  const stored = sim.published('stored') ?? 0;
  assert.ok(lines >= stored, `${stored} orders were confirmed, ${lines} are in the log`);
  process.exit();
}, 20 + sim.random(100));
