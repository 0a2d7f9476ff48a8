'use strict';
// The process that starts workers and listens for them.
const EventEmitter = require('events');
const Worker = require('internal/cluster/worker_class');
const { send, listen } = require('internal/cluster/talk');
const { InTurns, Shared } = require('internal/cluster/listeners');

const POLICIES = { none: 1, rr: 2 };
const listeners = new Map(); // what we listen on, by key
let lastId = 0;

const cluster = module.exports = Object.assign(new EventEmitter(), {
  isWorker: false,
  isMaster: true,
  isPrimary: true,
  Worker,
  workers: {},
  settings: {},
  SCHED_NONE: POLICIES.none,
  SCHED_RR: POLICIES.rr,
  schedulingPolicy: POLICIES[process.env.NODE_CLUSTER_SCHED_POLICY] ?? POLICIES.rr,
  setupPrimary,
  setupMaster: setupPrimary,
  fork,
  disconnect,
});

// Both events of a member, in the order that programs rely on.
function tell(worker, event, ...details) {
  worker.emit(event, ...details);
  cluster.emit(event, worker, ...details);
}

// What was set earlier stays unless it is set again. The settings of a running worker stay.
function setupPrimary(options) {
  const first = {
    args: process.argv.slice(2), exec: process.argv[1], execArgv: process.execArgv, silent: false,
  };
  const settings = { ...first, ...cluster.settings, ...options };
  cluster.settings = settings;
  process.nextTick(() => cluster.emit('setup', settings));
}

function startProcess(id, env) {
  const { exec, args, ...settings } = cluster.settings;
  return require('child_process').fork(exec, args, {
    ...settings,
    env: { ...process.env, ...env, NODE_UNIQUE_ID: `${id}` },
  });
}

function fork(env) {
  cluster.setupPrimary();
  const id = ++lastId;
  const worker = new Worker({ id, process: startProcess(id, env) });
  const child = worker.process;

  worker.on('message', (message, handle) => cluster.emit('message', worker, message, handle));
  listen(child, (message) => {
    if (Object.hasOwn(acts, message.act)) acts[message.act](worker, message);
  });
  // A worker is gone when it has both left the channel and ended; either may come first.
  let steps = 0;
  const oneStep = (state) => {
    if (++steps === 2) delete cluster.workers[id];
    leaveListeners(worker);
    worker.exitedAfterDisconnect = Boolean(worker.exitedAfterDisconnect);
    worker.state = state;
  };
  child.once('exit', (code, signal) => {
    oneStep('dead');
    tell(worker, 'exit', code, signal);
  });
  child.once('disconnect', () => {
    oneStep('disconnected');
    tell(worker, 'disconnect');
  });

  cluster.workers[id] = worker;
  process.nextTick(() => cluster.emit('fork', worker));
  return worker;
}

function leave(key, worker) {
  if (listeners.get(key)?.remove(worker)) listeners.delete(key);
}

function leaveListeners(worker) {
  for (const key of [...listeners.keys()]) leave(key, worker);
}

// The key of what a worker asks for, which is opened if it is the first to ask.
function openListener(message) {
  const { address, port, addressType, fd, index } = message;
  const key = [address, port, addressType, fd, index].join(':');
  if (!listeners.has(key)) {
    const isDatagram = `${addressType}`.startsWith('udp');
    const Kind = cluster.schedulingPolicy === POLICIES.rr && !isDatagram ? InTurns : Shared;
    listeners.set(key, Object.assign(new Kind(key, message), { data: message.data }));
  }
  return key;
}

// What workers say.
const acts = {
  online(worker) {
    worker.state = 'online';
    tell(worker, 'online');
  },

  queryServer(worker, message) {
    if (worker.exitedAfterDisconnect) return; // it leaves, and serves nobody any more
    const key = openListener(message);
    const listener = listeners.get(key);
    listener.add(worker, (errno = 0, extra, handle) => {
      if (errno !== 0) listeners.delete(key);
      send(worker.process, { ack: message.seq, errno, key, data: listener.data, ...extra }, handle);
    });
  },

  listening(worker, { addressType, address, port, fd }) {
    worker.state = 'listening';
    tell(worker, 'listening', { addressType, address, port, fd });
  },

  exitedAfterDisconnect(worker, { seq }) {
    worker.exitedAfterDisconnect = true;
    send(worker.process, { ack: seq });
  },

  close(worker, { key }) { leave(key, worker); },
};

// All workers; calls back when the last of them has left.
function disconnect(callback) {
  const staying = Object.values(cluster.workers).filter((worker) => worker.isConnected());
  let left = staying.length;
  const finish = () => callback?.();
  if (left === 0) process.nextTick(finish);
  for (const worker of staying) {
    worker.disconnect();
    worker.process.once('disconnect', () => { if (--left === 0) finish(); });
  }
}

Worker.prototype.disconnect = function disconnect() {
  this.exitedAfterDisconnect = true;
  send(this.process, { act: 'disconnect' });
  leaveListeners(this);
  delete cluster.workers[this.id];
  return this;
};

Worker.prototype.destroy = function destroy(signal = 'SIGTERM') {
  this.process.kill(signal);
};
