'use strict';
// Small things that Node's tests of its inner parts showed: checks, marks, what travels.
const http = require('http');
const net = require('net');
const tty = require('tty');
const util = require('util');
const vm = require('vm');
const { Worker } = require('worker_threads');

function told(name, work) {
  try {
    console.log(name, work());
  } catch (error) {
    console.log(name, error.name, error.code, error.message, error.info);
  }
}

told('error map', () => [-4095, -2, -3008].map((one) => util.getSystemErrorMap().get(one)));
told('message event', () => Reflect.get(MessageEvent.prototype, 'data', {}));
told('array of options', () => new net.Socket().connect([{ port: 1 }, () => {}]));
told('engine option', () => new Worker('0', { eval: true, execArgv: ['--expose-gc'] }));
told('terminal', () => new tty.WriteStream(-1));
told('no terminal', () => new tty.ReadStream(require('fs').openSync(__filename)));
told('error of a context', () => util.isError(new (vm.runInNewContext('Error'))()));
const never = new Proxy({}, { get() { throw new Error('asked'); } });
told('proxy', () => util.format('%s', never));
const gone = Proxy.revocable({}, {});
gone.revoke();
told('revoked', () => util.format('%s', gone.proxy) + util.inspect(gone.proxy));

async function marks() {
  const server = http.createServer({ highWaterMark: 5000 }, (req, res) => {
    console.log(req._readableState.highWaterMark, res.writableHighWaterMark);
    res.end();
  });
  await new Promise((resolve) => { server.listen(0, resolve); });
  await new Promise((resolve) => {
    http.get({ port: server.address().port }, (res) => res.resume().on('end', resolve));
  });
  server.close();
}

async function travels() {
  const { port1, port2 } = new MessageChannel();
  port1.postMessage(new net.SocketAddress({ address: '1.2.3.4', port: 80 }));
  const address = await new Promise((resolve) => { port2.once('message', resolve); });
  console.log(net.SocketAddress.isSocketAddress(address), address.address, address.port);
  port1.close();
}

async function handles() {
  const first = net.createServer();
  await new Promise((resolve) => { first.listen(0, resolve); });
  const second = net.createServer((socket) => socket.end('second'));
  second.listen({ _handle: first._handle });
  await new Promise((resolve) => { second.once('listening', resolve); });
  console.log(second.address().port === first.address().port);
  // A handle of the program's own: it says that there is no more.
  const handle = { readStart() {}, close: (done) => setImmediate(done) };
  const socket = new net.Socket({ handle });
  console.log(typeof socket._handle.onread);
  await new Promise((resolve) => { socket.destroy().once('close', resolve); });
  process.exit();
}

marks().then(travels).then(handles);
