'use strict';
// The process that starts workers and listens for them.
const EventEmitter = require('events');
const Worker = require('internal/cluster/worker_class');
const { send, listen } = require('internal/cluster/talk');
const { InTurns, Shared } = require('internal/cluster/listeners');

const [SCHED_NONE, SCHED_RR] = [1, 2];
const cluster = new EventEmitter();
const listeners = new Map(); // by key
const gone = new EventEmitter(); // 'all' when the last worker has gone
let ids = 0;
let isSetUp = false;

Object.assign(cluster, {
  isWorker: false,
  isMaster: true,
  isPrimary: true,
  Worker,
  workers: {},
  settings: {},
  SCHED_NONE,
  SCHED_RR,
  schedulingPolicy: process.env.NODE_CLUSTER_SCHED_POLICY === 'none' ? SCHED_NONE : SCHED_RR,
  setupPrimary,
  setupMaster: setupPrimary,
  fork,
  disconnect,
});
module.exports = cluster;

function setupPrimary(options) {
  const settings = { args: process.argv.slice(2), exec: process.argv[1],
    execArgv: process.execArgv, silent: false, ...cluster.settings, ...options };
  isSetUp = true;
  cluster.settings = settings;
  process.nextTick(() => cluster.emit('setup', settings));
}

function startProcess(id, env) {
  const { exec, args, execArgv, silent, cwd, stdio, uid, gid, serialization, windowsHide,
    execPath } = cluster.settings;
  return require('child_process').fork(exec, args, { cwd, silent, stdio, uid, gid, serialization,
    windowsHide, execArgv, execPath,
    env: { ...process.env, ...env, NODE_UNIQUE_ID: `${id}` } });
}

function forget(worker) {
  if (cluster.workers[worker.id] !== worker) return;
  delete cluster.workers[worker.id];
  if (Object.keys(cluster.workers).length === 0) gone.emit('all');
}

function leaveListeners(worker) {
  for (const [key, listener] of listeners) {
    if (listener.remove(worker)) listeners.delete(key);
  }
}

function fork(env) {
  if (!isSetUp) setupPrimary();
  const id = ++ids;
  const worker = new Worker({ id, process: startProcess(id, env) });
  worker.on('message', (message, handle) => cluster.emit('message', worker, message, handle));
  worker.process.once('exit', (code, signal) => {
    // What was said before the end may still be under way.
    if (!worker.isConnected()) {
      leaveListeners(worker);
      forget(worker);
    }
    worker.exitedAfterDisconnect = Boolean(worker.exitedAfterDisconnect);
    worker.state = 'dead';
    worker.emit('exit', code, signal);
    cluster.emit('exit', worker, code, signal);
  });
  worker.process.once('disconnect', () => {
    leaveListeners(worker);
    if (worker.isDead()) forget(worker);
    worker.exitedAfterDisconnect = Boolean(worker.exitedAfterDisconnect);
    worker.state = 'disconnected';
    worker.emit('disconnect');
    cluster.emit('disconnect', worker);
  });
  listen(worker.process, (message) => acts[message.act]?.(worker, message));
  process.nextTick(() => cluster.emit('fork', worker));
  cluster.workers[id] = worker;
  return worker;
}

function listenFor(worker, message) {
  if (worker.exitedAfterDisconnect) return;
  const { address, port, addressType, fd, index } = message;
  const key = `${address}:${port}:${addressType}:${fd}:${index}`;
  let listener = listeners.get(key);
  if (!listener) {
    const inTurns = cluster.schedulingPolicy === SCHED_RR && !`${addressType}`.startsWith('udp');
    listener = inTurns ? new InTurns(key, message) : new Shared(key, message);
    listeners.set(key, listener);
  }
  listener.add(worker, (errno, extra, handle) => {
    if (errno) listeners.delete(key);
    send(worker.process, { ack: message.seq, errno: errno || 0, key, ...extra }, handle);
  });
}

const acts = {
  __proto__: null,
  online(worker) {
    worker.state = 'online';
    worker.emit('online');
    cluster.emit('online', worker);
  },
  listening(worker, { addressType, address, port, fd }) {
    worker.state = 'listening';
    const where = { addressType, address, port, fd };
    worker.emit('listening', where);
    cluster.emit('listening', worker, where);
  },
  queryServer: listenFor,
  exitedAfterDisconnect(worker, message) {
    worker.exitedAfterDisconnect = true;
    send(worker.process, { ack: message.seq });
  },
  close(worker, { key }) {
    const listener = listeners.get(key);
    if (listener?.remove(worker)) listeners.delete(key);
  },
};

function disconnect(callback) {
  const workers = Object.values(cluster.workers);
  if (typeof callback === 'function') gone.once('all', callback);
  if (workers.length === 0) {
    process.nextTick(() => gone.emit('all'));
    return;
  }
  for (const worker of workers) if (worker.isConnected()) worker.disconnect();
}

Worker.prototype.disconnect = function disconnect() {
  this.exitedAfterDisconnect = true;
  send(this.process, { act: 'disconnect' });
  leaveListeners(this);
  forget(this);
  return this;
};

Worker.prototype.destroy = function destroy(signal = 'SIGTERM') {
  const end = () => this.process.kill(signal);
  if (!this.isConnected()) {
    end();
    return;
  }
  this.once('disconnect', end);
  this.disconnect();
};
