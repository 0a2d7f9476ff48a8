'use strict';
const net = require('net');
const native = binding('http');
const streams = binding('stream');
const ids = require('internal/async/ids');
const told = require('internal/diagnostics/told_channels');
const { nextTick } = binding('gate');
const { Connection } = require('internal/http/connection');
const { IncomingMessage, kFields, kState } = require('internal/http/incoming');
const { withMethods } = require('internal/util/callable');
const { kHighWaterMark } = require('internal/http/outgoing');
const { ServerResponse } = require('internal/http/response');
const { flags: { KEEP_ALIVE, UPGRADE, NO_BODY, EXPECT_CONTINUE, EXPECT_OTHER, HOST,
  VERSION, BODY_AS_SAID, BODY_UPGRADE } } = require('internal/http/common');
const { STATUS_CODES, error, connectionReset, maxHeaderSize, isLenient, setVersion } =
  require('internal/http/common');
const { outOfRange } = require('internal/errors/errors');
const { validateInteger, validateBoolean, validateObject } = require('internal/errors/validators');

const kConnections = Symbol('kConnections');
const kChecking = Symbol('http.server.connectionsCheckingInterval');
const kIncoming = Symbol('kIncoming');
const kResponse = Symbol('kResponse');
const kUniqueHeaders = Symbol('kUniqueHeaders');
const KEEP_ALIVE_BUFFER = 1000;
const SPECIAL = EXPECT_CONTINUE | EXPECT_OTHER;
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

class ServerConnection extends Connection {
  constructor(server, socket) {
    super(socket, 0, server.maxHeaderSize || maxHeaderSize,
      isLenient(server.insecureHTTPParser));
    ids.below(ids.idOf(socket._handle), native.begin, this.parser);
    this.server = server;
    socket.server = server;
    this.active = null; // the answer that has the socket
    this.outgoing = []; // answers that wait for the one before them
    this.pendingBytes = 0;
    this.requests = 0;
    this.idleTimer = null;
    this.idleTime = 0;
    this.rested = 0;
    this.isLate = false; // the time limit was told
    this.errorListener = (failure) => this.onError(failure);
    this.listen([
      'close', () => this.onClose(),
      'end', () => this.onEnd(),
      'error', this.errorListener,
      'timeout', () => this.timedOut(),
      'drain', () => this.drained(),
    ]);
    socket.setEncoding = refuseEncoding;
    if (server.timeout && typeof socket.setTimeout === 'function') {
      socket.setTimeout(server.timeout);
    }
    server[kConnections].add(this);
  }

  onHead(method, url, fields, flags, count) {
    const { server } = this;
    const req = new server[kIncoming](this.socket);
    req.method = method;
    req.url = url;
    req[kFields] = fields;
    setVersion(req, flags);
    const limit = server.maxHeadersCount ?? 2000;
    if (limit > 0 && count > limit) {
      req.rawHeaders.length = limit * 2;
      if (req.headers.host === undefined) flags &= ~HOST;
    }
    if (server.joinDuplicateHeaders) req.joinDuplicateHeaders = true;
    if ((flags & UPGRADE) !== 0) {
      const event = method === 'CONNECT' ? 'connect' : 'upgrade';
      req.upgrade = method === 'CONNECT' || server.listenerCount(event) > 0;
      if (req.upgrade) {
        this.upgrade = req;
        return BODY_UPGRADE;
      }
    }
    if ((flags & NO_BODY) !== 0) {
      this.serve(req, flags);
      req._end();
    } else {
      req._source = this;
      this.message = req;
      this.serve(req, flags);
    }
    return BODY_AS_SAID;
  }

  onComplete(trailers) {
    const { message } = this;
    this.message = null;
    message._end(trailers);
    if (this.bodyFull) {
      this.bodyFull = false;
      this.update();
    }
  }

  serve(req, flags) {
    const { server, socket } = this;
    const res = new server[kResponse](req);
    if (server.rejectNonStandardBodyWrites) res._rejectsBody = true;
    if (server[kHighWaterMark] !== undefined) res[kHighWaterMark] = server[kHighWaterMark];
    res._conn = this;
    if ((flags & KEEP_ALIVE) === 0) res.shouldKeepAlive = false;
    if (this.active !== null) {
      this.outgoing.push(res);
    } else {
      this.active = res;
      res.assignSocket(socket);
    }
    // The next request sees that answers pile up: what has come with it is still looked at.
    if (this.pendingBytes >= socket.writableHighWaterMark ||
        (socket._writableState?.needDrain && socket.writableNeedDrain)) {
      this.outputFull = true;
      this.update();
    }
    told['http.server.request.start']?.publish({ request: req, response: res, socket, server });
    told.measures?.serverBegins(req, res);
    if (SPECIAL & flags || flags >> VERSION !== 11 || (flags & HOST) === 0 ||
        server.maxRequestsPerSocket > 0) {
      this.serveSpecial(req, res, flags);
    } else {
      server.emit('request', req, res);
    }
  }

  // Requests that may be refused.
  serveSpecial(req, res, flags) {
    const { server, socket } = this;
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
    if ((flags & HOST) === 0 && req.httpVersionMinor === 1 && server.requireHostHeader) {
      res.writeHead(400, ['Connection', 'close']);
      res.end();
    } else if ((flags & EXPECT_CONTINUE) !== 0 && req.httpVersionMinor === 1) {
      res._expect_continue = true;
      if (server.listenerCount(CONTINUE) > 0) {
        server.emit(CONTINUE, req, res);
      } else {
        res.writeContinue();
        server.emit('request', req, res);
      }
    } else if ((flags & EXPECT_OTHER) !== 0 && req.httpVersionMinor === 1) {
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

  addPending(delta) {
    this.pendingBytes += delta;
    if (this.outputFull && this.pendingBytes < this.socket.writableHighWaterMark &&
        !this.socket.writableNeedDrain) {
      this.outputFull = false;
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
    told['http.server.response.finish']?.publish({ request: res.req, response: res,
      socket: this.socket, server: this.server });
    told.measures?.serverEnds(res);
    const { socket } = this;
    const { req } = res;
    if (!req.complete || req[kState] !== undefined) {
      if (!req._consumed && !req[kState]?.dataEmitted) req._dump();
    } else {
      req._dumped = true;
    }
    res.detachSocket(socket);
    nextTick(closeResponse, res);
    this.active = null;
    if (res._last || (this.closed && this.outgoing.length === 0 && !socket.writable)) {
      if (typeof socket.destroySoon === 'function') socket.destroySoon();
      else socket.end();
    } else if (this.outgoing.length > 0) {
      this.active = this.outgoing.shift();
      this.active.assignSocket(socket);
    } else {
      this.rest();
    }
  }

  // Nothing to do until the next request. The timer is not moved with every answer: it looks how
  // long ago the last one was.
  rest() {
    const { keepAliveTimeout } = this.server;
    if (this.handle === null) this.rested = Date.now();
    if (this.idleTime === keepAliveTimeout && this.idleTimer !== null) return;
    this.idleTime = keepAliveTimeout;
    clearTimeout(this.idleTimer);
    this.idleTimer = null;
    // A client that believes the header must not find the connection closed.
    if (keepAliveTimeout > 0) this.startTimer(keepAliveTimeout + KEEP_ALIVE_BUFFER);
  }

  startTimer(ms) {
    this.idleTimer = setTimeout(onIdle, ms, this);
    this.idleTimer.unref();
  }

  isIdle() {
    return native.age(this.parser) === -1 && this.active === null;
  }

  timedOut() {
    const { server, socket } = this;
    const last = this.outgoing.length > 0 ? this.outgoing[this.outgoing.length - 1] : this.active;
    const req = last === null ? null : last.req;
    const onRequest = req && !req.complete && req.emit('timeout', socket);
    const onResponse = socket._httpMessage && socket._httpMessage.emit('timeout', socket);
    const onServer = server.emit('timeout', socket);
    if (!onRequest && !onResponse && !onServer) socket.destroy();
  }

  onError(failure) {
    const { server, socket } = this;
    socket.removeListener('error', this.errorListener);
    if (socket.listenerCount('error') === 0) socket.on('error', () => {});
    // The parser goes on to tell of what is wrong as long as someone listens.
    if (server.listenerCount('clientError') > 0) {
      server.emit('clientError', failure, socket);
      return;
    }
    this.close();
    const res = socket._httpMessage;
    if (socket.writable && (!res || !(res._headerSent || res.finished))) {
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
    if (this.active !== null) this.active.req.destroy(connectionReset('aborted'));
    for (const res of this.outgoing) res.req.destroy(connectionReset('aborted'));
    this.active = null;
    this.outgoing = [];
  }

  onClose() {
    this.close();
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
    this.forget();
    delete socket.setEncoding;
    socket.parser = null;
    if (typeof socket.setTimeout === 'function') socket.setTimeout(0);
    req._end();
    if (!server.emit(req.method === 'CONNECT' ? 'connect' : 'upgrade', req, socket, head)) {
      socket.destroy();
    }
  }

  // The request takes longer than the server allows.
  check() {
    const spent = native.age(this.parser);
    if (spent === -1 || this.closed || this.isLate) return;
    const { headersTimeout, requestTimeout } = this.server;
    const isLate = (headersTimeout > 0 && spent > headersTimeout && !native.hasHead(this.parser)) ||
      (requestTimeout > 0 && spent > requestTimeout);
    if (!isLate) return;
    this.isLate = true;
    this.onError(error('ERR_HTTP_REQUEST_TIMEOUT', 'Request timeout'));
  }
}

function refuseEncoding() {
  throw error('ERR_HTTP_SOCKET_ENCODING',
    'Changing the socket encoding is not allowed per RFC7230 Section 3.');
}

function onIdle(conn) {
  const { server, handle, socket } = conn;
  conn.idleTimer = null;
  if (conn.closed || !conn.isIdle() || !(server.keepAliveTimeout > 0)) return;
  const idle = handle !== null && socket._handle === handle ? streams.idleTime(handle)
    : Date.now() - conn.rested;
  const left = server.keepAliveTimeout + KEEP_ALIVE_BUFFER - idle;
  if (left > 0) conn.startTimer(left);
  else socket.emit('timeout');
}

function closeResponse(res) {
  res.destroyed = true;
  res._closed = true;
  if (res._events !== undefined) res.emit('close');
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

// What a server of HTTP has beside the server that it is: of net, or of TLS.
function setUp(server, options, listener, event) {
  server[kIncoming] = options.IncomingMessage || IncomingMessage;
  server[kResponse] = options.ServerResponse || ServerResponse;
  takeTimes(server, options);
  if (options.maxHeaderSize !== undefined) {
    validateInteger(options.maxHeaderSize, 'maxHeaderSize', 0);
  }
  server.maxHeaderSize = options.maxHeaderSize;
  for (const name of ['requireHostHeader', 'joinDuplicateHeaders', 'insecureHTTPParser',
    'rejectNonStandardBodyWrites']) {
    if (options[name] !== undefined) validateBoolean(options[name], `options.${name}`);
  }
  server.requireHostHeader = options.requireHostHeader ?? true;
  server.joinDuplicateHeaders = options.joinDuplicateHeaders;
  server.insecureHTTPParser = options.insecureHTTPParser;
  server.rejectNonStandardBodyWrites = Boolean(options.rejectNonStandardBodyWrites);
  server[kHighWaterMark] = options.highWaterMark;
  server[kUniqueHeaders] = options.uniqueHeaders;
  server.httpAllowHalfOpen = false;
  server.timeout = 0;
  server.maxHeadersCount = null;
  server.maxRequestsPerSocket = 0;
  server[kConnections] = new Set();
  server[kChecking] = null;
  if (listener) server.on('request', listener);
  server.on(event, onConnection);
  server.on('listening', () => {
    clearInterval(server[kChecking]);
    server[kChecking] = setInterval(() => {
      for (const conn of server[kConnections]) conn.check();
    }, server.connectionsCheckingInterval).unref();
  });
}

function onConnection(socket) {
  new ServerConnection(this, socket);
}

function readOptions(options, listener) {
  if (typeof options === 'function') return [{}, options];
  if (options === undefined || options === null) return [{}, listener];
  validateObject(options, 'options');
  return [options, listener];
}

function Server(given, work) {
  if (!(this instanceof Server)) return new Server(given, work);
  const [options, listener] = readOptions(given, work);
  net._Server.call(this, { allowHalfOpen: true, noDelay: options.noDelay ?? true,
    keepAlive: options.keepAlive, keepAliveInitialDelay: options.keepAliveInitialDelay,
    highWaterMark: options.highWaterMark });
  setUp(this, options, listener, 'connection');
}

// Methods on top of those of the server that it is.
const withHttp = (Base) => class extends Base {
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

  // A listener of 'request' that was async and failed.
  [Symbol.for('nodejs.rejection')](failure, event, ...args) {
    if (event !== 'request') {
      super[Symbol.for('nodejs.rejection')](failure, event, ...args);
      return;
    }
    const [, res] = args;
    if (res.headersSent || res.writableEnded) {
      res.destroy();
      return;
    }
    for (const name of res.getHeaderNames()) res.removeHeader(name);
    res.statusCode = 500;
    res.end(STATUS_CODES[500]);
  }

  closeAllConnections() {
    for (const conn of [...this[kConnections]]) conn.socket.destroy();
  }

  closeIdleConnections() {
    for (const conn of [...this[kConnections]]) if (conn.isIdle()) conn.socket.destroy();
  }
};
withMethods(Server, withHttp(net._Server));

module.exports = { Server, setUp, readOptions, withHttp, onConnection,
  kConnectionsCheckingInterval: kChecking };
