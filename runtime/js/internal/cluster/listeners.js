'use strict';
// What the primary listens on for its workers. In turns: it accepts, and hands each connection to
// the next worker that is free. Shared: every worker has the socket itself, and the kernel chooses.
const native = binding('stream');
const udp = binding('udp');
const { send } = require('internal/cluster/talk');

// Paths of sockets have an end: from the working folder the way may be short enough.
function nearer(address) {
  if (typeof address !== 'string' || address[0] !== '/') return address;
  const relative = require('path').relative(process.cwd(), address);
  return relative.length < address.length ? relative : address;
}

class InTurns {
  constructor(key, { address, port, fd, flags, backlog }) {
    Object.assign(this, { key, all: new Map(), free: new Map(), waiting: [], handle: null });
    this.server = require('net').createServer();
    if (fd >= 0) this.server.listen({ fd, backlog });
    else if (port >= 0) {
      this.server.listen({ port, host: address ?? undefined, backlog,
        ipv6Only: Boolean(flags & 1) });
    } else {
      this.server.listen({ path: nearer(address), backlog });
    }
    this.server.once('listening', () => {
      this.handle = this.server._handle;
      this.handle.onconnection = (status, handle) => { if (!status) this.distribute(handle); };
      this.server._handle = null;
      this.server = null;
    });
  }

  add(worker, reply) {
    this.all.set(worker.id, worker);
    const done = () => {
      const name = native.sockname(this.handle);
      reply(0, { sockname: Array.isArray(name) ? name : undefined });
      this.handOver(worker);
    };
    if (this.server === null) {
      done();
      return;
    }
    this.server.once('listening', done);
    this.server.once('error', (error) => reply(error.errno));
  }

  // Whether nobody is left.
  remove(worker) {
    this.free.delete(worker.id);
    if (!this.all.delete(worker.id) || this.all.size > 0) return false;
    for (const handle of this.waiting.splice(0)) handle.close();
    if (this.handle) this.handle.close();
    else this.server?.close();
    this.handle = null;
    return true;
  }

  has(worker) { return this.all.has(worker.id); }

  distribute(handle) {
    this.waiting.push(handle);
    const [first] = this.free;
    if (!first) return;
    this.free.delete(first[0]);
    this.handOver(first[1]);
  }

  handOver(worker) {
    if (!this.all.has(worker.id)) return;
    const handle = this.waiting.shift();
    if (handle === undefined) {
      this.free.set(worker.id, worker);
      return;
    }
    const isSent = send(worker.process, { act: 'newconn', key: this.key }, handle, (reply) => {
      if (reply.accepted) handle.close();
      else this.distribute(handle);
      this.handOver(worker);
    });
    if (!isSent && !worker.process.connected) this.distribute(handle);
  }
}

// An address in use is said only when a socket listens, and one that was not bound would then be
// given a port by chance: whoever listens is another process, so it is asked for now.
function bound(handle, address, port, flags) {
  const status = native.bind(handle, address, port, flags);
  if (status !== 0 || port === 0) return status;
  const name = native.sockname(handle);
  return typeof name === 'number' && name < 0 ? name : 0;
}

class Shared {
  constructor(key, query) {
    Object.assign(this, { key, all: new Map(), handle: null, status: 0 });
    const { address, port, addressType, fd, flags } = query;
    const isUdp = addressType === 'udp4' || addressType === 'udp6';
    if (isUdp) {
      this.handle = udp.newUdp();
      this.status = udp.bind(this.handle, address, port || 0, flags || 0);
    } else {
      const isPipe = port === undefined || port < 0;
      this.handle = isPipe && !(fd >= 0) ? native.newPipe(0) : native.newTcp();
      if (fd >= 0) this.status = native.open(this.handle, fd);
      else this.status = bound(this.handle, nearer(address) ?? '::', port || 0, flags & 1);
    }
    if (this.status === 0) return;
    this.handle.close();
    this.handle = null;
  }

  add(worker, reply) {
    this.all.set(worker.id, worker);
    reply(this.status, {}, this.handle);
  }

  remove(worker) {
    if (!this.all.delete(worker.id) || this.all.size > 0) return false;
    this.handle?.close();
    this.handle = null;
    return true;
  }

  has(worker) { return this.all.has(worker.id); }
}

module.exports = { InTurns, Shared };
