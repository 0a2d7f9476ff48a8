'use strict';
// Connections for requests: how many, and which are kept for the next one.

const EventEmitter = require('events');
const net = require('net');
const gate = binding('gate');
const native = binding('http');
const ids = require('internal/async/ids');
const { withContext } = require('internal/async/with_context');
const { withMethods } = require('internal/util/callable');
const { isOurs } = require('internal/net/handles');
const { invalidArgValue } = require('internal/errors/errors');
const { validateNumber } = require('internal/errors/validators');

const kRequestOptions = Symbol('requestOptions');
const kWork = Symbol('work'); // that a request which waits belongs to
const FREE_ERROR = () => {};

// The documented limits, checked, with what holds where the program says nothing.
function limits(options) {
  const { keepAliveMsecs, keepAlive, maxSockets, maxFreeSockets, maxTotalSockets } = options;
  const scheduling = options.scheduling || 'lifo';
  if (scheduling !== 'lifo' && scheduling !== 'fifo') {
    throw invalidArgValue('scheduling', scheduling, 'must be one of: \'fifo\', \'lifo\'');
  }
  if (maxTotalSockets !== undefined) validateNumber(maxTotalSockets, 'maxTotalSockets', 1);
  return {
    keepAliveMsecs: keepAliveMsecs || 1000,
    keepAlive: keepAlive || false,
    maxSockets: maxSockets || Infinity,
    maxFreeSockets: maxFreeSockets || 256,
    scheduling,
    maxTotalSockets: maxTotalSockets ?? Infinity,
  };
}

// The names of connections, for options that differ in these parts. Most requests of a program go
// to few places: the last names are kept, and interned, so that no table has to hash them again.
class Names {
  constructor(parts, make) {
    this.parts = parts;
    this.make = make;
    this.kept = [];
    this.next = 0;
  }

  of(options) {
    for (const { values, name } of this.kept) {
      if (native.hasSame(options, this.parts, values)) return name;
    }
    const seen = { __proto__: null };
    for (const part of this.parts) seen[part] = options[part];
    return this.keep(Object.values(seen), this.make(seen));
  }

  keep(values, name) {
    // What may change inside has another name then.
    if (values.some((value) => Object(value) === value)) return name;
    [name] = Object.keys({ [name]: 0 });
    this.kept[this.next] = { values, name };
    this.next = (this.next + 1) % MOST_NAMES;
    return name;
  }
}

const MOST_NAMES = 4;
const NAMING = ['host', 'port', 'localAddress', 'family', 'socketPath'];

function nameOf({ host, port, localAddress, family, socketPath }) {
  const parts = [host || 'localhost', port || '', localAddress || ''];
  if ([4, 6].includes(family)) parts.push(family);
  if (socketPath) parts.push(socketPath);
  return parts.join(':');
}

const names = new Names(NAMING, nameOf);
const dictionary = () => ({ __proto__: null });

function Agent(given) {
  if (!(this instanceof Agent)) return new Agent(given);
  EventEmitter.call(this);
  const options = Object.assign(dictionary(), given, { path: null });
  if (options.noDelay === undefined) options.noDelay = true;
  Object.assign(this, {
    defaultPort: 80, protocol: 'http:', options, requests: dictionary(), sockets: dictionary(),
    freeSockets: dictionary(), ...limits(options), totalSocketCount: 0,
  });
  this.on('free', (socket, request) => onFree(this, socket, request));
}

class AgentMethods extends EventEmitter {
  createConnection(...args) {
    return net.createConnection(...args);
  }

  getName(options = {}) { return names.of(options); }

  addRequest(request, options, port, localAddress) {
    if (typeof options === 'string') options = { host: options, port, localAddress };
    const name = nameFor(this, options);
    const used = this.sockets[name] ??= [];
    const free = this.freeSockets[name];
    const socket = takeFree(this, name, free);
    const count = used.length + (free ? free.length : 0);
    if (socket) {
      countAgain(socket);
      this.reuseSocket(socket, request);
      used.push(socket);
      hand(this, request, socket);
    } else if (count < this.maxSockets && this.totalSocketCount < this.maxTotalSockets) {
      this.createSocket(request, withOwn(this, options), (failure, made) => {
        if (failure) request.onSocket(made, failure);
        else hand(this, request, made);
      });
    } else {
      request[kRequestOptions] = options;
      request[kWork] = ids.isCounting() ? newWork() : gate.getContext();
      (this.requests[name] ??= []).push(request);
    }
  }

  createSocket(request, options, callback) {
    options = withOwn(this, options);
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
    const hinted = hintOf(socket._httpKeepAlive || '');
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

// The options of a request with those of the agent, which go before them.
function withOwn(agent, options) {
  options = { __proto__: null, ...options, ...agent.options };
  if (options.socketPath) options.path = options.socketPath;
  return options;
}

// The name that the agent has for the connections of a request.
const { getName } = Agent.prototype;
const onlyRead = new Set([getName]); // methods that look at the options and no more

function nameFor(agent, options) {
  const own = agent.options;
  const isPlain = agent.getName === getName && (own === undefined ||
    (own.host === undefined && own.port === undefined && own.localAddress === undefined &&
    own.family === undefined && own.socketPath === undefined));
  if (isPlain) return agent.getName(options);
  return agent.getName(onlyRead.has(agent.getName) ? { __proto__: options, ...own }
    : withOwn(agent, options));
}

// Servers say the same each time.
let lastHint = '';
let lastHinted = NaN;

function hintOf(text) {
  if (text !== lastHint) {
    lastHint = text;
    lastHinted = Number(/^timeout=(\d+)/.exec(text)?.[1]) * 1000 - 1000;
  }
  return lastHinted;
}

function newWork() {
  const { AsyncResource } = require('async_hooks');
  return new AsyncResource('QueuedRequest');
}

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
    agent.createSocket(request, withOwn(agent, request[kRequestOptions] || options), onSocket));
}

// What follows belongs to who made the request, not to whose end it waited for.
function inItsWork(request, work) {
  const held = request[kWork];
  if (typeof held?.runInAsyncScope === 'function') held.runInAsyncScope(work);
  else if (held === gate.getContext()) work();
  else withContext(held, work, undefined, []);
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
  const isUnused = () => Object.values(agent.freeSockets).some((list) => list.includes(socket));
  const listeners = {
    free() { agent.emit('free', socket, options); },
    close() { agent.removeSocket(socket, options); },
    timeout() { if (isUnused()) socket.destroy(); },
    agentRemove() {
      agent.removeSocket(socket, options);
      for (const event of Object.keys(listeners)) socket.off(event, listeners[event]);
    },
  };
  for (const event of Object.keys(listeners)) socket.on(event, listeners[event]);
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
  Agent, Names, NAMING, nameOf, onlyRead,
  globalAgent: new Agent({ keepAlive: true, scheduling: 'lifo', timeout: 5000 }),
};
