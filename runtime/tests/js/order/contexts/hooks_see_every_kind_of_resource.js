'use strict';
// The types of resources, what starts each, and whether its callbacks and its end are told.
const hooks = require('async_hooks');
const fs = require('fs');
const net = require('net');
const http = require('http');
const dgram = require('dgram');
const dns = require('dns');
const crypto = require('crypto');
const { spawn } = require('child_process');

const LEFT_OUT = new Set(['PROMISE', 'TickObject', 'Timeout', 'Immediate', 'Microtask']);
const seen = new Map();
const all = new Map();
let counts = {};

hooks.createHook({
  init(id, type, trigger, resource) {
    all.set(id, { type, trigger });
    if (LEFT_OUT.has(type)) return;
    const number = counts[type] = (counts[type] ?? 0) + 1;
    seen.set(id, { name: `${type}:${number}`, trigger, before: 0, after: 0, ended: 0,
      hasResource: resource !== null && typeof resource === 'object' });
  },
  before(id) { if (seen.has(id)) seen.get(id).before++; },
  after(id) { if (seen.has(id)) seen.get(id).after++; },
  destroy(id) { if (seen.has(id)) seen.get(id).ended++; },
}).enable();

// Ticks and timers on the way to what started it do not count.
function starter(id) {
  for (; all.has(id) && LEFT_OUT.has(all.get(id).type);) id = all.get(id).trigger;
  return seen.get(id)?.name ?? 'the program';
}

function report(title) {
  console.log(`--- ${title}`);
  for (const one of seen.values()) {
    console.log(one.name, 'by', starter(one.trigger), one.hasResource,
      one.before > 0 ? 'called' : 'not called', one.before === one.after, 'ended', one.ended);
  }
  seen.clear();
  counts = {};
}

const later = (work) => setTimeout(() => setTimeout(work, 20), 20);

const programs = {
  files(done) {
    fs.access(__filename, () => fs.stat(__filename, () => fs.readFile(__filename, done)));
  },
  tcp(done) {
    const server = net.createServer((socket) => socket.end());
    server.listen(0, '127.0.0.1', () => {
      const socket = net.connect(server.address().port, '127.0.0.1');
      socket.resume();
      socket.on('close', () => server.close(done));
    });
  },
  http(done) {
    const server = http.createServer((req, res) => res.end('x'));
    server.listen(0, '127.0.0.1', () => {
      http.get({ port: server.address().port, host: '127.0.0.1', agent: false }, (res) => {
        res.resume();
        res.on('close', () => server.close(done));
      });
    });
  },
  datagrams(done) {
    const socket = dgram.createSocket('udp4');
    socket.bind(0, '127.0.0.1', () => {
      socket.on('message', () => socket.close(done));
      socket.send('x', socket.address().port, '127.0.0.1');
    });
  },
  names(done) { dns.lookup('localhost', () => dns.lookupService('127.0.0.1', 22, () => done())); },
  random(done) { crypto.randomBytes(4, () => crypto.pbkdf2('a', 'b', 1, 8, 'sha1', done)); },
  child(done) { spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }).on('close', done); },
  signals(done) {
    const awake = setInterval(() => {}, 20);
    process.once('SIGUSR2', () => {
      clearInterval(awake);
      done();
    });
    process.kill(process.pid, 'SIGUSR2');
  },
  watching(done) {
    fs.watchFile(__filename, { interval: 20 }, () => {});
    fs.unwatchFile(__filename);
    setTimeout(done, 20);
  },
};

function run([name, ...rest]) {
  if (name === undefined) return;
  programs[name](() => later(() => {
    report(name);
    run(rest);
  }));
}
run(Object.keys(programs));
