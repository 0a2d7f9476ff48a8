'use strict';
// One line for each call that Node refuses: code, name and message are the same.
const fs = require('fs');
const net = require('net');
const dgram = require('dgram');
const { Readable, Duplex } = require('stream');
const { ChildProcess, fork, spawn } = require('child_process');

const socket = dgram.createSocket('udp4');
const calls = [
  () => fs.close(''), () => fs.fchown(1, ''), () => fs.chmod('a', {}, () => {}),
  () => fs.read(1, 4, () => {}), () => fs.readSync(1, Buffer.alloc(1), 0, 2),
  () => fs.read(1, Buffer.alloc(1), 0, 1, 'x', () => {}), () => fs.writev(1, {}, () => {}),
  () => fs.symlinkSync('a', 'b', 'c'), () => fs.truncate('a', 'b', () => {}),
  () => fs.rmSync('a', { recursive: 1 }), () => fs.open('a', 2 ** 32, () => {}),
  () => fs.createReadStream('a', { fs: {} }), () => fs.writeFileSync('a', 'b', { flush: 1 }),
  () => net.connect({ port: 1, objectMode: true }), () => net.connect({ port: 1, localPort: 'a' }),
  () => net.connect({ port: 1, autoSelectFamily: 1 }),
  () => new net.BlockList().addSubnet('1.1.1.1', 33),
  () => new net.SocketAddress({ family: 'ip' }), () => new net.Socket({ fd: -1 }),
  () => dgram.createSocket('udp'), () => socket.send('a', 'b'), () => socket.send(1, 1),
  () => socket.send('abc', 1, 5, 1), () => socket.setTTL('a'), () => socket.addMembership(),
  () => socket.disconnect(), () => socket.setRecvBufferSize(-1),
  () => new ChildProcess().spawn(), () => fork('a', 1),
  () => spawn('a', [], { serialization: 'x' }),
  () => spawn('a', [], { stdio: ['ipc', 'ipc'] }), () => process.umask({}),
  () => process.hrtime([1]),
  () => process.cpuUsage(1), () => process.setuid({}),
  () => process.setgroups(['no such group']),
  () => process.getBuiltinModule(1), () => new URLSearchParams([[1]]),
  () => new URLSearchParams('a').append('b'),
  () => URLSearchParams.prototype.get.call({}, 'a'), () => new EventTarget().addEventListener('a'),
  () => new Event(), () => AbortSignal.any([1]), () => AbortSignal.timeout('a'),
  () => Readable.from([1]).map(1), () => Readable.from([1]).take(-1), () => Duplex.fromWeb({}),
  () => new Readable().iterator(1), () => require('console').Console({}),
  () => console.table([], 1),
];
for (const call of calls) {
  try {
    call();
    console.log(String(call), 'is allowed');
  } catch (error) {
    console.log(error.code, error.name, error.message);
  }
}
socket.close();
