// Every kind of callback, throwing. kinds[NAME](thrower): the thrower is called there once.
const fs = require('fs');
const net = require('net');
const http = require('http');
const { spawn, fork } = require('child_process');
const { EventEmitter } = require('events');
const { Readable, Writable, Transform, pipeline, finished } = require('stream');
const { Worker, MessageChannel } = require('worker_threads');

function served(onSocket, onClient) {
  const server = net.createServer((socket) => {
    server.close();
    onSocket(socket);
  });
  server.listen(0, '127.0.0.1', () => onClient(net.connect(server.address().port, '127.0.0.1')));
}

module.exports = {
  main: (thrower) => thrower(),
  timer: (thrower) => setTimeout(thrower, 1),
  interval: (thrower) => {
    const timer = setInterval(() => { clearInterval(timer); thrower(); }, 1);
  },
  immediate: (thrower) => setImmediate(thrower),
  tick: (thrower) => process.nextTick(thrower),
  microtask: (thrower) => queueMicrotask(thrower),
  promise: (thrower) => { Promise.resolve().then(thrower); },
  'promise executor': (thrower) => { new Promise(thrower); },
  'async function': async (thrower) => { await null; thrower(); },
  'finally of a promise': (thrower) => { Promise.resolve().finally(thrower); },
  thenable: (thrower) => { Promise.resolve({ then: thrower }); },
  'async iterator': async (thrower) => {
    for await (const one of (async function* () { yield 1; })()) thrower(one);
  },
  'file callback': (thrower) => fs.stat(__filename, thrower),
  'readFile callback': (thrower) => fs.readFile(__filename, thrower),
  'file promise': (thrower) => { fs.promises.stat(__filename).then(thrower); },
  'read stream data': (thrower) => fs.createReadStream(__filename).once('data', thrower),
  'read stream end': (thrower) => fs.createReadStream(__filename).on('end', thrower).resume(),
  'read stream close': (thrower) => fs.createReadStream(__filename).on('close', thrower).resume(),
  'readable data': (thrower) => Readable.from(['a']).on('data', thrower),
  'readable read': (thrower) => new Readable({ read: thrower }).resume(),
  'writable write': (thrower) => new Writable({ write: thrower }).write('x'),
  'writable callback': (thrower) =>
    new Writable({ write: (chunk, encoding, done) => done() }).write('x', thrower),
  'writable finish': (thrower) =>
    new Writable({ write: (chunk, encoding, done) => done() }).on('finish', thrower).end('x'),
  'transform': (thrower) => new Transform({ transform: thrower }).end('x'),
  'pipeline callback': (thrower) =>
    pipeline(Readable.from(['a']), new Writable({ write: (c, e, done) => done() }), thrower),
  'finished callback': (thrower) => finished(Readable.from(['a']).resume(), thrower),
  'stream error listener': (thrower) => new Readable().on('error', thrower).destroy(new Error('e')),
  'emitter listener': (thrower) => new EventEmitter().on('x', thrower).emit('x'),
  'once of an emitter': (thrower) => {
    const emitter = new EventEmitter();
    EventEmitter.once(emitter, 'x').then(thrower);
    emitter.emit('x');
  },
  'event target listener': (thrower) => {
    const target = new EventTarget();
    target.addEventListener('x', thrower);
    target.dispatchEvent(new Event('x'));
  },
  'abort listener': (thrower) => {
    const stop = new AbortController();
    stop.signal.addEventListener('abort', thrower);
    stop.abort();
  },
  'server listening': (thrower) => {
    const server = net.createServer().listen(0, () => { server.close(); thrower(); });
  },
  'server close': (thrower) => {
    const server = net.createServer().listen(0, () => server.close(thrower));
  },
  'server connection': (thrower) => served((socket) => {
    socket.on('error', () => {});
    socket.destroy();
    thrower();
  }, (client) => client.on('error', () => {}).resume()),
  'client connect': (thrower) => served((socket) => socket.end(), (client) => {
    client.on('connect', () => { client.destroy(); thrower(); });
  }),
  'socket data': (thrower) => served((socket) => socket.end('x'), (client) => {
    client.once('data', thrower);
  }),
  'socket end': (thrower) => served((socket) => socket.end('x'), (client) => {
    client.resume().on('end', () => { client.destroy(); thrower(); });
  }),
  'socket close': (thrower) => served((socket) => socket.end('x'), (client) => {
    client.resume().on('close', thrower);
  }),
  'socket error': (thrower) =>
    net.connect({ path: '/no/such/socket' }).on('error', thrower),
  'name lookup': (thrower) => require('dns').lookup('127.0.0.1', thrower),
  datagram: (thrower) => {
    const socket = require('dgram').createSocket('udp4');
    socket.bind(0, '127.0.0.1', () => socket.send('x', socket.address().port, '127.0.0.1'));
    socket.on('message', () => { socket.close(); thrower(); });
  },
  'http request': (thrower) => {
    const server = http.createServer((request, response) => {
      server.close();
      response.end();
      thrower();
    });
    server.listen(0, () => http.get({ port: server.address().port, agent: false },
      (response) => response.resume()));
  },
  'child exit': (thrower) => spawn('true').on('exit', thrower),
  'child close': (thrower) => spawn('true').on('close', thrower),
  'child output': (thrower) => spawn('echo', ['x']).stdout.once('data', thrower),
  'child that can not start': (thrower) => spawn('/no/such/program').on('error', thrower),
  'exec callback': (thrower) => require('child_process').exec('true', thrower),
  'forked message': (thrower) => {
    fork(__filename).on('message', thrower);
  },
  'worker message': (thrower) =>
    new Worker('require("worker_threads").parentPort.postMessage(1)', { eval: true })
      .on('message', thrower),
  'worker exit': (thrower) => new Worker('', { eval: true }).on('exit', thrower),
  'port message': (thrower) => {
    const { port1, port2 } = new MessageChannel();
    port2.on('message', () => { port2.close(); thrower(); });
    port1.postMessage(1);
  },
  signal: (thrower) => {
    const timer = setInterval(() => {}, 1000);
    process.once('SIGUSR2', () => { clearInterval(timer); thrower(); });
    process.kill(process.pid, 'SIGUSR2');
  },
  'file watcher': (thrower) => {
    const watcher = fs.watch('.', () => { watcher.close(); thrower(); });
    fs.writeFileSync('changed', '');
  },
  'line of a reader': (thrower) =>
    require('readline').createInterface({ input: Readable.from(['a\n']) }).on('line', thrower),
  beforeExit: (thrower) => process.once('beforeExit', thrower),
  exit: (thrower) => process.once('exit', thrower),
  warning: (thrower) => { process.once('warning', thrower); process.emitWarning('w'); },
  unhandledRejection: (thrower) => {
    process.once('unhandledRejection', thrower);
    Promise.reject(new Error('first'));
  },
  'async storage': (thrower) =>
    new (require('async_hooks').AsyncLocalStorage)().run(1, () => setImmediate(thrower)),
  'dynamic import': (thrower) => { import('fs').then(thrower); },
};

if (process.send) process.send('hello');
