'use strict';
// program.js FIRST COUNT: random programs about order, one after the other, each from its seed.
// A program is a few rounds; a round starts in a callback of a known phase and queues ticks,
// microtasks, promises, immediates or timers, which queue more of them, throw, or say who they are.
// Only what Node has in one order always is used: timers of one duration, no race of two phases.
const fs = require('fs');
const EventEmitter = require('events');
const { AsyncLocalStorage } = require('async_hooks');
const { spawn } = require('child_process');
const dgram = require('dgram');
const http = require('http');
const net = require('net');
const waits = require('timers/promises');

const first = Number(process.argv[2] ?? 1);
const count = Number(process.argv[3] ?? 1);
const storage = new AsyncLocalStorage();
let state;
function random(below) {
  state ^= state << 13;
  state >>>= 0;
  state ^= state >>> 17;
  state ^= state << 5;
  state >>>= 0;
  return state % below;
}

let lines = [];
let left; // how many more actions the round may have
let mayThrow;
function say(name) {
  const context = storage.getStore();
  lines.push(context === undefined ? name : `${name} in ${context}`);
}

// What runs when its turn comes: it says its name and queues more.
function step(name) {
  say(name);
  for (let i = random(3); i > 0; i--) act(name);
  if (mayThrow && random(12) === 0) throw new Error(name);
}

async function sleeper(name, turns) {
  say(`${name} starts`);
  for (let i = 0; i < turns; i++) {
    await (random(2) === 0 ? i : Promise.resolve(i));
    say(`${name} turn ${i}`);
  }
  if (random(6) === 0) throw new Error(name);
  return name;
}

const thenable = (name) => ({
  then(resolve) {
    say(`${name} then`);
    resolve(name);
  },
});

const KINDS = {
  tick: (name) => process.nextTick(step, name),
  microtask: (name) => queueMicrotask(() => step(name)),
  promise: (name) => Promise.resolve(name).then(step).catch(() => say(`${name} failed`)),
  rejection: (name) => Promise.reject(new Error(name)).then(undefined, () => step(name))
    .catch(() => say(`${name} failed`)),
  finally: (name) => Promise.resolve().finally(() => say(`${name} at last`)).then(() => step(name))
    .catch(() => say(`${name} failed`)),
  returned: (name) => Promise.resolve().then(() => Promise.resolve(name)).then(step)
    .catch(() => say(`${name} failed`)),
  thenable: (name) => Promise.resolve(thenable(name)).then(step)
    .catch(() => say(`${name} failed`)),
  async: (name) => sleeper(name, 1 + random(3)).then(say, (error) => say(`${error.message} lost`)),
  all: (name) => Promise.all([sleeper(`${name} a`, 1), sleeper(`${name} b`, 2)])
    .then(() => say(`${name} all`), () => say(`${name} not all`)),
  race: (name) => Promise.race([sleeper(`${name} a`, 2), sleeper(`${name} b`, 1)])
    .then(() => say(`${name} won`), () => say(`${name} lost`)),
  immediate: (name) => setImmediate(step, name),
  cleared: (name) => clearImmediate(setImmediate(step, name)),
  event(name) {
    const emitter = new EventEmitter();
    emitter.once('go', () => step(`${name} once`));
    emitter.on('go', () => say(`${name} on`));
    process.nextTick(() => emitter.emit('go'));
  },
  context: (name) => storage.run(name, () => act(name)),
  aborted(name) {
    const controller = new AbortController();
    const { signal } = controller;
    const wait = random(2) === 0 ? waits.setTimeout(1000, name, { signal })
      : waits.setImmediate(name, { signal });
    wait.then(say, (error) => say(`${name} ${error.name}`));
    if (random(2) === 0) controller.abort();
    else process.nextTick(() => controller.abort());
  },
  socket(name) {
    const socket = new net.Socket();
    socket.on('close', (...args) => say(`${name} close ${args.length}`));
    socket.on('error', () => say(`${name} error`));
    if (random(2) === 0) socket.destroy();
    else socket.destroy(new Error(name));
  },
  missing(name) {
    const child = spawn('/there/is/no/such/program', { stdio: 'ignore' });
    for (const event of ['error', 'exit', 'close']) child.on(event, () => say(`${name} ${event}`));
  },
  request(name) {
    const request = http.get({ createConnection: () => new net.Socket() });
    for (const event of ['abort', 'error', 'close']) {
      request.on(event, () => say(`${name} ${event}`));
    }
    if (random(2) === 0) request.abort();
    else request.destroy();
  },
  datagram(name) {
    sender.send(name, 9, '127.0.0.1', (error) => say(`${name} sent ${error}`));
  },
};
const TIMERS = {
  timer: (name) => setTimeout(step, 5, name),
  unreferenced: (name) => setTimeout(step, 5, name).unref(),
  stopped: (name) => clearTimeout(setTimeout(step, 5, name)),
};
let kinds;
let number;
function act(parent) {
  if (left-- <= 0) return;
  const kind = kinds[random(kinds.length)];
  const from = parent.split(' ').slice(0, 2).join(' ');
  (KINDS[kind] ?? TIMERS[kind])(`${kind} ${++number} of ${from}`);
}

// Where a round starts.
const PLACES = {
  file: (work) => fs.stat('.', work),
  promise: (work) => { fs.promises.stat('.').then(work); },
  timer: (work) => setTimeout(work, 1),
  immediate: (work) => setImmediate(work),
};

function whenQuiet(done) {
  const before = lines.length;
  setTimeout(() => (before === lines.length ? done() : whenQuiet(done)), 50);
}

function round(name, done) {
  const place = Object.keys(PLACES)[random(4)];
  const withTimers = random(4) === 0;
  mayThrow = random(2) === 0;
  kinds = Object.keys(KINDS);
  if (withTimers)
    kinds = [...kinds.filter((kind) => !/immediate|cleared/.test(kind)), ...Object.keys(TIMERS)];
  left = 5 + random(25);
  number = 0;
  PLACES[place](() => {
    say(`${name} in ${place}`);
    whenQuiet(done);
    for (let i = 1 + random(5); i > 0; i--) act(name);
  });
}

process.on('uncaughtException', (error) => say(`handler: ${error.message}`));
process.on('unhandledRejection', (error) => say(`unhandled: ${error.message}`));

function program(seed) {
  if (seed === first + count) return;
  state = (seed * 2654435761) >>> 0 || 1;
  const rounds = 1 + random(3);
  lines = [];
  const next = (i) => {
    if (i < rounds) {
      round(`round ${i}`, () => next(i + 1));
      return;
    }
    console.log(`seed ${seed}: ${lines.length}\n${lines.join('\n')}`);
    program(seed + 1);
  };
  next(0);
}
// Bound first: what waits for that would come when it likes.
const sender = dgram.createSocket('udp4');
sender.on('error', () => {}); // nobody listens there
sender.bind(0, '127.0.0.1', () => {
  sender.unref();
  program(first);
});
