'use strict';
const net = require('net');
const { Connection } = require('internal/http/connection');
const { IncomingMessage } = require('internal/http/incoming');
const { ServerResponse } = require('internal/http/response');
const { FLAG, BODY, STATUS_CODES, error, connectionReset, maxHeaderSize } =
  require('internal/http/common');
const { validateInteger, validateBoolean, validateObject, outOfRange } = require('internal/errors');

const kConnections = Symbol('kConnections');
const kChecking = Symbol('kChecking');
const kIncoming = Symbol('kIncoming');
const kResponse = Symbol('kResponse');
const kUniqueHeaders = Symbol('kUniqueHeaders');
const KEEP_ALIVE_BUFFER = 1000;
const CONTINUE = 'checkContinue';
const EXPECTATION = 'checkExpectation';

function rawAnswer(status) {
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n\r\n`;
}

function statusOf(failure) {
  switch (failure.code) {
    case 'HPE_HEADER_OVERFLOW': return 431;
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW': return 413;
    case 'ERR_HTTP_REQUEST_TIMEOUT': return 408;
    default: return 400;
  }
}

const handlers = {
  onHead(method, url, fields, flags, minor) {
    return this.conn.onHead(method, url, fields, flags, minor);
  },
  onBody(at, length) {
    this.conn.give(at, length);
  },
  onEnd(trailers) {
    const { conn } = this;
    const { message } = conn;
    conn.message = null;
    conn.waiting = true;
    message._end(trailers);
    conn.afterMessage();
  },
};

class ServerConnection extends Connection {
  constructor(server, socket) {
    super(socket, 0, server.maxHeaderSize || maxHeaderSize, handlers);
    this.server = server;
    this.incoming = []; // requests that have no whole answer yet
    this.outgoing = []; // answers that wait for the one before them
    this.pendingBytes = 0;
    this.requests = 0;
    this.started = Date.now();
    this.hasHead = false;
    this.waiting = false; // for the first byte of a request
    this.idleTimer = null;
    socket.on('close', () => this.onClose());
    socket.on('end', () => this.onEnd());
    this.onSocketError = (failure) => this.onError(failure);
    socket.on('error', this.onSocketError);
    this.onTimeout = () => this.timedOut();
    socket.on('timeout', this.onTimeout);
    this.onDrain = () => this.drained();
    socket.on('drain', this.onDrain);
    if (server.timeout) socket.setTimeout(server.timeout);
    server[kConnections].add(this);
  }

  feed(chunk) {
    if (this.waiting) {
      this.waiting = false;
      this.hasHead = false;
      this.started = Date.now();
    }
    super.feed(chunk);
  }

  onHead(method, url, fields, flags, minor) {
    const { server, socket } = this;
    const req = new server[kIncoming](socket);
    req.httpVersionMinor = minor;
    req.method = method;
    req.url = url;
    const limit = server.maxHeadersCount ?? 2000;
    req.rawHeaders = fields;
    if (limit > 0 && fields.length > limit * 2) {
      fields.length = limit * 2;
      if (req.headers.host === undefined) flags &= ~FLAG.host;
    }
    if (server.joinDuplicateHeaders) req.joinDuplicateHeaders = true;
    this.hasHead = true;
    if ((flags & FLAG.upgrade) !== 0) {
      const event = method === 'CONNECT' ? 'connect' : 'upgrade';
      req.upgrade = method === 'CONNECT' || server.listenerCount(event) > 0;
      if (req.upgrade) {
        this.upgrade = req;
        return BODY.upgrade;
      }
    }
    const noBody = (flags & FLAG.noBody) !== 0;
    if (!noBody) {
      req._source = this;
      this.message = req;
    }
    this.serve(req, flags);
    if (noBody) {
      this.waiting = true;
      req._end();
    }
    return BODY.asSaid;
  }

  serve(req, flags) {
    const { server, socket } = this;
    this.incoming.push(req);
    const res = new server[kResponse](req);
    res._conn = this;
    if (server.keepAliveTimeout) res._keepAliveTimeout = server.keepAliveTimeout;
    res._maxRequestsPerSocket = server.maxRequestsPerSocket;
    if ((flags & FLAG.keepAlive) === 0) res.shouldKeepAlive = false;
    if (socket._httpMessage) this.outgoing.push(res);
    else res.assignSocket(socket);
    if (socket.writableNeedDrain) {
      this.outputFull = true;
      this.update();
    }
    if (server.maxRequestsPerSocket > 0) {
      this.requests++;
      res.maxRequestsOnConnectionReached = server.maxRequestsPerSocket <= this.requests;
      if (this.requests > server.maxRequestsPerSocket) {
        server.emit('dropRequest', req, socket);
        res.writeHead(503);
        res.end();
        return;
      }
    }
    if ((flags & (FLAG.host | FLAG.hostTwice)) !== FLAG.host && req.httpVersionMinor === 1 &&
        ((flags & FLAG.hostTwice) !== 0 || server.requireHostHeader)) {
      res.writeHead(400, ['Connection', 'close']);
      res.end();
    } else if ((flags & FLAG.expectContinue) !== 0 && req.httpVersionMinor === 1) {
      res._expect_continue = true;
      if (server.listenerCount(CONTINUE) > 0) {
        server.emit(CONTINUE, req, res);
      } else {
        res.writeContinue();
        server.emit('request', req, res);
      }
    } else if ((flags & FLAG.expectOther) !== 0 && req.httpVersionMinor === 1) {
      if (server.listenerCount(EXPECTATION) > 0) {
        server.emit(EXPECTATION, req, res);
      } else {
        res.writeHead(417);
        res.end();
      }
    } else {
      server.emit('request', req, res);
    }
  }

  // After the last byte of a request whose answer may be done already.
  afterMessage() {
    if (this.bodyFull) {
      this.bodyFull = false;
      this.update();
    }
  }

  // May an answer be written past the socket's stream?
  isClear() {
    const { socket } = this;
    return this.handle !== null && socket._handle === this.handle &&
      socket._writableState.length === 0 && socket._writableState.corked === 0 &&
      !socket._writableState.ending;
  }

  addPending(delta) {
    this.pendingBytes += delta;
    const full = this.pendingBytes >= this.socket.writableHighWaterMark ||
      this.socket.writableNeedDrain;
    if (full !== this.outputFull) {
      this.outputFull = full;
      this.update();
    }
  }

  drained() {
    if (this.outputFull && this.pendingBytes < this.socket.writableHighWaterMark) {
      this.outputFull = false;
      this.update();
    }
    const res = this.socket._httpMessage;
    if (res) res._onSocketDrain();
  }

  // The answer has been handed to the system.
  responded(res) {
    const { socket } = this;
    const req = this.incoming.shift();
    if (req !== undefined && !req._consumed) req._dump();
    res.detachSocket(socket);
    process.nextTick(closeResponse, res);
    if (res._last || (this.closed && this.outgoing.length === 0 && !socket.writable)) {
      socket.destroySoon();
      return;
    }
    if (this.outgoing.length > 0) {
      this.outgoing.shift().assignSocket(socket);
    } else if (this.incoming.length === 0) {
      this.rest();
    }
  }

  // Nothing to do until the next request.
  rest() {
    const { server } = this;
    if (!(server.keepAliveTimeout > 0)) return;
    // A client that believes the header must not find the connection closed.
    const ms = server.keepAliveTimeout + KEEP_ALIVE_BUFFER;
    if (this.idleTimer === null || this.idleTime !== ms) {
      clearTimeout(this.idleTimer);
      this.idleTime = ms;
      this.idleTimer = setTimeout(() => {
        if (this.isIdle()) this.socket.emit('timeout');
      }, ms);
      this.idleTimer.unref();
    } else {
      this.idleTimer.refresh();
    }
  }

  isIdle() {
    return this.waiting && this.incoming.length === 0 && this.outgoing.length === 0;
  }

  timedOut() {
    const { server, socket } = this;
    const req = this.incoming[this.incoming.length - 1];
    const onRequest = req && !req.complete && req.emit('timeout', socket);
    const onResponse = socket._httpMessage && socket._httpMessage.emit('timeout', socket);
    const onServer = server.emit('timeout', socket);
    if (!onRequest && !onResponse && !onServer) socket.destroy();
  }

  onError(failure) {
    const { server, socket } = this;
    socket.removeListener('error', this.onSocketError);
    if (socket.listenerCount('error') === 0) socket.on('error', () => {});
    this.closed = true;
    if (server.listenerCount('clientError') > 0) {
      server.emit('clientError', failure, socket);
      return;
    }
    const res = socket._httpMessage;
    if (socket.writable && (!res || !res._headerSent)) {
      socket.write(rawAnswer(statusOf(failure)), 'latin1');
    }
    if (res && !res._headerSent && !res.finished) res.destroyed = true;
    socket.destroy(failure);
  }

  onEnd() {
    if (this.closed) return;
    const failure = this.finish();
    if (failure !== undefined) {
      this.onError(failure);
      return;
    }
    const { server, socket } = this;
    if (!server.httpAllowHalfOpen) {
      if (socket.writable) socket.end();
    } else if (this.outgoing.length > 0) {
      this.outgoing[this.outgoing.length - 1]._last = true;
    } else if (socket._httpMessage) {
      socket._httpMessage._last = true;
    } else if (socket.writable) {
      socket.end();
    }
  }

  abortIncoming() {
    while (this.incoming.length > 0) this.incoming.shift().destroy(connectionReset('aborted'));
  }

  onClose() {
    this.closed = true;
    clearTimeout(this.idleTimer);
    this.server[kConnections].delete(this);
    this.abortIncoming();
    const res = this.socket._httpMessage;
    if (res) res._lost();
  }

  onUpgrade(req, head) {
    const { server, socket } = this;
    clearTimeout(this.idleTimer);
    server[kConnections].delete(this);
    socket.removeListener('error', this.onSocketError);
    socket.removeListener('timeout', this.onTimeout);
    socket.removeListener('drain', this.onDrain);
    socket.setTimeout(0);
    req._end();
    if (!server.emit(req.method === 'CONNECT' ? 'connect' : 'upgrade', req, socket, head)) {
      socket.destroy();
    }
  }

  // The request takes longer than the server allows.
  check(now) {
    if (this.waiting || this.closed) return;
    const { headersTimeout, requestTimeout } = this.server;
    const spent = now - this.started;
    const isLate = (!this.hasHead && headersTimeout > 0 && spent > headersTimeout) ||
      (requestTimeout > 0 && spent > requestTimeout);
    if (isLate) this.onError(error('ERR_HTTP_REQUEST_TIMEOUT', 'Request timeout'));
  }
}

function closeResponse(res) {
  res.destroyed = true;
  res._closed = true;
  res.emit('close');
}

function takeTimes(server, options) {
  const { requestTimeout, headersTimeout, connectionsCheckingInterval, keepAliveTimeout } = options;
  for (const name of ['requestTimeout', 'headersTimeout', 'keepAliveTimeout',
    'connectionsCheckingInterval']) {
    if (options[name] !== undefined) validateInteger(options[name], name, 0);
  }
  server.requestTimeout = requestTimeout ?? 300000;
  server.headersTimeout = headersTimeout ?? Math.min(60000, server.requestTimeout || 60000);
  if (server.requestTimeout > 0 && server.headersTimeout > server.requestTimeout) {
    throw outOfRange('headersTimeout', '<= requestTimeout', headersTimeout);
  }
  server.keepAliveTimeout = keepAliveTimeout ?? 5000;
  server.connectionsCheckingInterval = connectionsCheckingInterval ?? 30000;
}

class Server extends net._Server {
  constructor(options, listener) {
    if (typeof options === 'function') {
      listener = options;
      options = {};
    } else if (options === undefined || options === null) {
      options = {};
    } else {
      validateObject(options, 'options');
    }
    super({ allowHalfOpen: true, noDelay: options.noDelay ?? true, keepAlive: options.keepAlive,
      keepAliveInitialDelay: options.keepAliveInitialDelay, highWaterMark: options.highWaterMark });
    this[kIncoming] = options.IncomingMessage || IncomingMessage;
    this[kResponse] = options.ServerResponse || ServerResponse;
    takeTimes(this, options);
    if (options.maxHeaderSize !== undefined) {
      validateInteger(options.maxHeaderSize, 'maxHeaderSize', 0);
    }
    this.maxHeaderSize = options.maxHeaderSize;
    if (options.requireHostHeader !== undefined) {
      validateBoolean(options.requireHostHeader, 'options.requireHostHeader');
    }
    this.requireHostHeader = options.requireHostHeader ?? true;
    if (options.joinDuplicateHeaders !== undefined) {
      validateBoolean(options.joinDuplicateHeaders, 'options.joinDuplicateHeaders');
    }
    this.joinDuplicateHeaders = options.joinDuplicateHeaders;
    this[kUniqueHeaders] = options.uniqueHeaders;
    this.httpAllowHalfOpen = false;
    this.timeout = 0;
    this.maxHeadersCount = null;
    this.maxRequestsPerSocket = 0;
    this[kConnections] = new Set();
    this[kChecking] = null;
    if (listener) this.on('request', listener);
    this.on('connection', (socket) => new ServerConnection(this, socket));
    this.on('listening', () => {
      clearInterval(this[kChecking]);
      this[kChecking] = setInterval(() => {
        const now = Date.now();
        for (const conn of this[kConnections]) conn.check(now);
      }, this.connectionsCheckingInterval).unref();
    });
  }

  setTimeout(ms, callback) {
    this.timeout = ms;
    if (callback) this.on('timeout', callback);
    return this;
  }

  close(callback) {
    clearInterval(this[kChecking]);
    super.close(callback);
    this.closeIdleConnections();
    return this;
  }

  closeAllConnections() {
    for (const conn of [...this[kConnections]]) conn.socket.destroy();
  }

  closeIdleConnections() {
    for (const conn of [...this[kConnections]]) if (conn.isIdle()) conn.socket.destroy();
  }
}

module.exports = { Server };
