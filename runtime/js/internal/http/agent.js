'use strict';
// Connections for requests: how many, and which are kept for the next one.

const EventEmitter = require('events');
const net = require('net');
const ids = require('internal/async/ids');
const { withMethods } = require('internal/util/callable');
const { isOurs } = require('internal/net/handles');
const { validateNumber, invalidArgValue } = require('internal/errors/errors');

const kRequestOptions = Symbol('requestOptions');
const kWork = Symbol('work'); // that a request which waits belongs to
const FREE_ERROR = () => {};

function Agent(options) {
  if (!(this instanceof Agent)) return new Agent(options);
  EventEmitter.call(this);
  this.options = { __proto__: null, ...options };
  if (this.options.noDelay === undefined) this.options.noDelay = true;
  this.options.path = null;
  this.requests = { __proto__: null };
  this.sockets = { __proto__: null };
  this.freeSockets = { __proto__: null };
  this.keepAliveMsecs = this.options.keepAliveMsecs || 1000;
  this.keepAlive = this.options.keepAlive || false;
  this.maxSockets = this.options.maxSockets || Infinity;
  this.maxFreeSockets = this.options.maxFreeSockets || 256;
  this.scheduling = this.options.scheduling || 'lifo';
  this.maxTotalSockets = this.options.maxTotalSockets;
  this.totalSocketCount = 0;
  this.defaultPort = 80;
  this.protocol = 'http:';
  if (!['fifo', 'lifo'].includes(this.scheduling)) {
    throw invalidArgValue('scheduling', this.scheduling, 'must be one of: \'fifo\', \'lifo\'');
  }
  if (this.maxTotalSockets !== undefined) {
    validateNumber(this.maxTotalSockets, 'maxTotalSockets', 1);
  } else {
    this.maxTotalSockets = Infinity;
  }
  this.on('free', (socket, given) => onFree(this, socket, given));
}

class AgentMethods extends EventEmitter {
  createConnection(...args) {
    return net.createConnection(...args);
  }

  getName(options = {}) {
    let name = options.host || 'localhost';
    name += ':';
    if (options.port) name += options.port;
    name += ':';
    if (options.localAddress) name += options.localAddress;
    if (options.family === 4 || options.family === 6) name += `:${options.family}`;
    if (options.socketPath) name += `:${options.socketPath}`;
    return name;
  }

  addRequest(request, options, port, localAddress) {
    if (typeof options === 'string') options = { host: options, port, localAddress };
    options = { __proto__: null, ...options, ...this.options };
    if (options.socketPath) options.path = options.socketPath;
    const name = this.getName(options);
    this.sockets[name] ??= [];
    const free = this.freeSockets[name];
    const socket = takeFree(this, name, free);
    const count = this.sockets[name].length + (free ? free.length : 0);
    if (socket) {
      countAgain(socket);
      this.reuseSocket(socket, request);
      this.sockets[name].push(socket);
      hand(this, request, socket);
    } else if (count < this.maxSockets && this.totalSocketCount < this.maxTotalSockets) {
      this.createSocket(request, options, (failure, made) => {
        if (failure) request.onSocket(made, failure);
        else hand(this, request, made);
      });
    } else {
      const { AsyncResource } = require('async_hooks');
      request[kRequestOptions] = options;
      request[kWork] = new AsyncResource('QueuedRequest');
      (this.requests[name] ??= []).push(request);
    }
  }

  createSocket(request, options, callback) {
    options = { __proto__: null, ...options, ...this.options };
    if (options.socketPath) options.path = options.socketPath;
    const name = this.getName(options);
    options._agentKey = name;
    options.encoding = null;
    let called = false;
    const done = (failure, socket) => {
      if (called) return;
      called = true;
      if (failure) {
        callback(failure);
        return;
      }
      (this.sockets[name] ??= []).push(socket);
      this.totalSocketCount++;
      install(this, socket, options);
      callback(null, socket);
    };
    if (this.keepAlive) {
      options.keepAlive = this.keepAlive;
      options.keepAliveInitialDelay = this.keepAliveMsecs;
    }
    const socket = this.createConnection(options, done);
    if (socket && !called) done(null, socket);
  }

  removeSocket(socket, options) {
    const name = this.getName(options);
    for (const all of [this.sockets, this.freeSockets]) {
      const list = all[name];
      const at = list ? list.indexOf(socket) : -1;
      if (at !== -1) {
        list.splice(at, 1);
        if (list.length === 0) delete all[name];
        this.totalSocketCount--;
      }
    }
    startWaiting(this, name, options);
  }

  keepSocketAlive(socket) {
    socket.setKeepAlive(true, this.keepAliveMsecs);
    socket.unref();
    // What the server announced counts, less a second for the way.
    let timeout = this.options.timeout || 0;
    const hinted = Number(/^timeout=(\d+)/.exec(socket._httpKeepAlive || '')?.[1]) * 1000 - 1000;
    if (hinted <= 0) return false;
    if (hinted < timeout) timeout = hinted;
    if (socket.timeout !== timeout) socket.setTimeout(timeout);
    return true;
  }

  reuseSocket(socket, request) {
    request.reusedSocket = true;
    socket.ref();
  }

  destroy() {
    for (const all of [this.freeSockets, this.sockets]) {
      for (const name of Object.keys(all)) for (const socket of [...all[name]]) socket.destroy();
    }
  }
}
withMethods(Agent, AgentMethods);

function takeFree(agent, name, free) {
  if (!free) return undefined;
  while (free.length > 0 && free[0].destroyed) free.shift();
  const socket = agent.scheduling === 'fifo' ? free.shift() : free.pop();
  if (free.length === 0) delete agent.freeSockets[name];
  if (socket) socket.removeListener('error', FREE_ERROR);
  return socket;
}

// For async_hooks, each request that a connection is used for is work of its own.
function countAgain(socket) {
  const handle = socket._handle;
  if (!ids.isCounting() || !isOurs(handle)) return;
  const type = socket.encrypted ? 'TLSWRAP' : socket.remotePort ? 'TCPWRAP' : 'PIPEWRAP';
  socket[ids.kAsyncId] = ids.reuse(handle, type);
}

function hand(agent, request, socket) {
  request.onSocket(socket);
  const timeout = request.timeout || agent.options.timeout || 0;
  if (socket.timeout !== timeout && !(socket.timeout === undefined && timeout === 0)) {
    socket.setTimeout(timeout);
  }
}

function startWaiting(agent, name, options) {
  const waiting = agent.requests[name];
  const list = agent.sockets[name];
  if (!waiting || waiting.length === 0 || (list && list.length >= agent.maxSockets) ||
      agent.totalSocketCount >= agent.maxTotalSockets) {
    startOther(agent, name);
    return;
  }
  const [request] = waiting;
  // The socket is as free as one that has done its request: whoever waits longest gets it.
  const onSocket = (failure, socket) => {
    if (!failure) {
      socket.emit('free');
      return;
    }
    waiting.splice(waiting.indexOf(request), 1);
    if (waiting.length === 0 && agent.requests[name] === waiting) delete agent.requests[name];
    request.onSocket(socket, failure);
  };
  inItsWork(request, () =>
    agent.createSocket(request, request[kRequestOptions] || options, onSocket));
}

// What follows belongs to who made the request, not to whose end it waited for.
function inItsWork(request, work) {
  const held = request[kWork];
  if (held === undefined) work();
  else held.runInAsyncScope(work);
}

// The limit on all sockets may have held requests to other hosts back.
function startOther(agent, name) {
  if (agent.maxTotalSockets === Infinity || agent.totalSocketCount >= agent.maxTotalSockets) return;
  for (const other of Object.keys(agent.requests)) {
    const list = agent.sockets[other];
    if (other !== name && !(list && list.length >= agent.maxSockets)) {
      startWaiting(agent, other, undefined);
      return;
    }
  }
}

function install(agent, socket, options) {
  const onFreeSocket = () => agent.emit('free', socket, options);
  const onClose = () => agent.removeSocket(socket, options);
  const onTimeout = () => {
    for (const list of Object.values(agent.freeSockets)) {
      if (list.includes(socket)) {
        socket.destroy();
        return;
      }
    }
  };
  const onRemove = () => {
    agent.removeSocket(socket, options);
    socket.removeListener('close', onClose);
    socket.removeListener('free', onFreeSocket);
    socket.removeListener('timeout', onTimeout);
    socket.removeListener('agentRemove', onRemove);
  };
  socket.on('free', onFreeSocket);
  socket.on('close', onClose);
  socket.on('timeout', onTimeout);
  socket.on('agentRemove', onRemove);
  if (agent.options.timeout) socket.setTimeout(agent.options.timeout);
}

// A socket has done its request: the next one gets it, or it is kept, or it goes.
function onFree(agent, socket, options) {
  const name = agent.getName(options);
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const waiting = agent.requests[name];
  if (waiting && waiting.length > 0) {
    const request = waiting.shift();
    if (waiting.length === 0) delete agent.requests[name];
    countAgain(socket);
    agent.reuseSocket(socket, request);
    inItsWork(request, () => hand(agent, request, socket));
    return;
  }
  const last = socket._httpMessage;
  if (!last || !last.shouldKeepAlive || !agent.keepAlive) {
    socket.destroy();
    return;
  }
  const free = agent.freeSockets[name] || [];
  const inUse = agent.sockets[name];
  const count = free.length + (inUse ? inUse.length : 0);
  // A place that requests to other hosts wait for is not kept.
  const isWanted = agent.totalSocketCount >= agent.maxTotalSockets &&
    Object.keys(agent.requests).length > 0;
  if (isWanted || agent.totalSocketCount > agent.maxTotalSockets || count > agent.maxSockets ||
      free.length >= agent.maxFreeSockets || !agent.keepSocketAlive(socket)) {
    socket.destroy();
    return;
  }
  agent.freeSockets[name] = free;
  if (ids.isCounting()) socket[ids.kAsyncId] = -1;
  socket._httpMessage = null;
  if (inUse) {
    const at = inUse.indexOf(socket);
    if (at !== -1) inUse.splice(at, 1);
    if (inUse.length === 0) delete agent.sockets[name];
  }
  socket.once('error', FREE_ERROR);
  free.push(socket);
}

Agent.defaultMaxSockets = Infinity;

module.exports = {
  Agent, globalAgent: new Agent({ keepAlive: true, scheduling: 'lifo', timeout: 5000 }),
};
