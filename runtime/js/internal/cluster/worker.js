'use strict';
// A process that was started by a primary and listens through it.
const EventEmitter = require('events');
const Worker = require('internal/cluster/worker_class');
const { send, listen } = require('internal/cluster/talk');
const native = binding('stream');

const cluster = new EventEmitter();
const handles = new Map(); // key → { handle, owner }
const indexes = new Map(); // what is listened on → how often it was asked for

Object.assign(cluster, { isWorker: true, isMaster: false, isPrimary: false, worker: null, Worker });
module.exports = cluster;

// Takes the place of a handle where the primary accepts.
class Proxied {
  constructor(key, name) {
    this.name = name;
    this.key = key;
    this.onconnection = null;
    this.held = binding('passing').standIn();
  }

  close(callback) {
    if (this.key === undefined) return;
    leave(this.key);
    this.key = undefined;
    native.close(this.held, callback);
  }

  ref() { if (this.key !== undefined) native.ref(this.held); }
  unref() { if (this.key !== undefined) native.unref(this.held); }
  hasRef() { return this.key !== undefined && native.hasRef(this.held); }
  sockname() { return this.name; }
}

function leave(key) {
  handles.delete(key);
  send(process, { act: 'close', key });
}

// A handle that is shared tells the primary when it is closed.
function watched(handle, key) {
  const close = handle.close;
  Object.defineProperty(handle, 'close', { configurable: true, value(callback) {
    leave(key);
    Reflect.apply(close, handle, [callback]);
  } });
  return handle;
}

// ask(owner, query, ready): ready(status, handle)
function ask(owner, query, ready) {
  const { address, port, addressType, fd } = query;
  const place = `${address}:${port}:${addressType}:${fd}`;
  const index = (indexes.get(place) ?? -1) + 1;
  indexes.set(place, index);
  owner.once('listening', () => {
    cluster.worker.state = 'listening';
    const at = owner.address();
    const where = typeof at === 'object' && at !== null ? at : { address: at, port: -1 };
    send(process, { act: 'listening', addressType, fd,
      address: where.address === '::' && address === null ? null : where.address,
      port: where.port });
  });
  const data = owner._getServerData?.(); // of the first worker that asks, for all of them
  send(process, { act: 'queryServer', ...query, index, data }, undefined, (reply, handle) => {
    let status = reply.errno;
    if (reply.data !== undefined) owner._setServerData?.(reply.data);
    if (status === 0 && handle && !`${addressType}`.startsWith('udp')) {
      status = native.listen(handle, query.backlog || 511);
    }
    if (status !== 0) {
      handle?.close();
      indexes.delete(place);
      ready(status);
      return;
    }
    const made = handle ? watched(handle, reply.key) : new Proxied(reply.key, reply.sockname);
    handles.set(reply.key, { handle: made, owner });
    ready(0, made);
  });
}

// What a server does not take goes to another worker.
function isFull({ maxConnections, _connections }) {
  return Boolean(maxConnections) && _connections >= maxConnections;
}

function onConnection({ key, seq }, client) {
  const { handle: accepts, owner } = handles.get(key) ?? {};
  const accepted = accepts !== undefined && typeof accepts.onconnection === 'function' &&
    !isFull(owner);
  send(process, { ack: seq, accepted });
  if (accepted) accepts.onconnection(0, client);
  else client?.close();
}

function leaveAll(byPrimary) {
  const worker = cluster.worker;
  worker.exitedAfterDisconnect = true;
  let waiting = 1;
  const done = () => {
    waiting--;
    if (waiting > 0 || !process.connected) return;
    if (byPrimary) process.disconnect();
    else {
      send(process, { act: 'exitedAfterDisconnect' }, undefined, () => {
        if (process.connected) process.disconnect();
      });
    }
  };
  for (const { owner } of [...handles.values()]) {
    waiting++;
    owner.close(done);
  }
  handles.clear();
  done();
}

Worker.prototype.disconnect = function disconnect() {
  if (this.state !== 'disconnecting' && this.state !== 'destroying') {
    this.state = 'disconnecting';
    leaveAll(false);
  }
  return this;
};

Worker.prototype.destroy = function destroy() {
  if (this.state === 'destroying') return;
  this.exitedAfterDisconnect = true;
  if (!this.isConnected()) process.exit(0);
  this.state = 'destroying';
  send(process, { act: 'exitedAfterDisconnect' }, undefined, () => process.disconnect());
  process.once('disconnect', () => process.exit(0));
};

function start() {
  const worker = new Worker({ id: +process.env.NODE_UNIQUE_ID | 0, process, state: 'online' });
  delete process.env.NODE_UNIQUE_ID;
  cluster.worker = worker;
  // Programs may put their own in its place.
  cluster._getServer = ask;
  require('internal/cluster/sharing').ask = (...args) => cluster._getServer(...args);
  process.once('disconnect', () => {
    worker.emit('disconnect');
    // The primary has gone, and nobody asked this process to leave.
    if (!worker.exitedAfterDisconnect) process.exit(0);
  });
  listen(process, (message, handle) => {
    if (message.act === 'newconn') onConnection(message, handle);
    else if (message.act === 'disconnect') leaveAll(true);
  });
  send(process, { act: 'online' });
}
start();
