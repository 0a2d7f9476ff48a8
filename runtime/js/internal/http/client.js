'use strict';
// A request that goes out, and the response to it.

const net = require('net');
const native = binding('http');
const { nextTick } = binding('gate');
const told = require('internal/diagnostics/told_channels');
const { finished } = require('stream');
const { OutgoingMessage, kErrored, kOutput } = require('internal/http/outgoing');
const { kHeaders } = require('internal/http/outgoing_head');
const { IncomingMessage, kFields } = require('internal/http/incoming');
const { Connection } = require('internal/http/connection');
const agents = require('internal/http/agent');
const { flags: { KEEP_ALIVE, UPGRADE, NO_BODY, UNTIL_END, BODY_AS_SAID, BODY_NONE,
  BODY_UPGRADE } } = require('internal/http/common');
const { isToken, error, connectionReset, maxHeaderSize, isLenient, setVersion } =
  require('internal/http/common');
const { withCode, invalidArgType, systemError, AbortError } = require('internal/errors/errors');
const { validateInteger, validateBoolean, validateNumber } = require('internal/errors/validators');

const NO_PATH = /[^\u0021-\u00ff]/;
const kConnection = Symbol('kHttpConnection');
const NO_BODY_METHODS = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);

class ClientConnection extends Connection {
  constructor(socket, request) {
    super(socket, 1, request.maxHeaderSize || maxHeaderSize,
      isLenient(request.insecureHTTPParser));
    this.request = null;
    socket[kConnection] = this;
    this.inUse = [
      'close', () => this.onClose(),
      'end', () => this.onEnd(),
      'drain', () => { if (this.request !== null) this.request._onSocketDrain(); },
      'error', (failure) => { if (this.request !== null) this.request._onSocketError(failure); },
    ];
    this.onTimeout = () => { if (this.request !== null) this.request.res?.emit('timeout'); };
  }

  // A request has the socket; while none has it, nothing of ours listens there.
  serve(request) {
    this.request = request;
    native.begin(this.parser);
    this.listen(this.inUse);
    this.showReader();
  }

  onHead(status, reason, fields, flags, count) {
    const { request, socket } = this;
    if (request === null) {
      // Nobody asked for anything.
      this.close();
      socket.destroy();
      return BODY_NONE;
    }
    const res = new IncomingMessage(socket);
    setVersion(res, flags);
    res.statusCode = status;
    res.statusMessage = reason;
    res[kFields] = fields;
    const limit = request.maxHeadersCount ?? 2000;
    if (limit > 0 && count > limit) res.rawHeaders.length = limit * 2;
    if (request.joinDuplicateHeaders) res.joinDuplicateHeaders = true;
    const isConnect = request.method === 'CONNECT';
    if (isConnect || (flags & UPGRADE) !== 0 || status === 101) {
      res.upgrade = true;
      if (isConnect || (flags & UPGRADE) !== 0) {
        this.upgrade = res;
        return BODY_UPGRADE;
      }
    }
    if (request.res) {
      // A second answer to one request.
      this.close();
      socket.destroy();
      return BODY_NONE;
    }
    if (status < 200) {
      if (status === 100) request.emit('continue');
      request.emit('information', { statusCode: status, statusMessage: reason,
        httpVersion: res.httpVersion, httpVersionMajor: res.httpVersionMajor,
        httpVersionMinor: res.httpVersionMinor, headers: res.headers, rawHeaders: res.rawHeaders });
      return BODY_NONE;
    }
    const isHead = request.method === 'HEAD';
    const stays = (flags & KEEP_ALIVE) !== 0 && ((flags & UNTIL_END) === 0 || isHead);
    if (!stays) request.shouldKeepAlive = false;
    socket._httpKeepAlive = request.shouldKeepAlive ? native.field(fields, 'keep-alive')
      : undefined;
    const noBody = isHead || (flags & NO_BODY) !== 0;
    request.res = res;
    res.req = request;
    this.message = res;
    if (!noBody) res._source = this;
    this.addTo(socket, 'timeout', this.onTimeout);
    // That is what Node takes for its end: the head is there.
    told['http.client.response.finish']?.publish({ request, response: res });
    told.measures?.clientEnds(request, res);
    const handled = request.aborted ? false : request.emit('response', res);
    if (!handled) res._dump();
    if (noBody) this.onComplete(undefined);
    return isHead ? BODY_NONE : BODY_AS_SAID;
  }

  onComplete(trailers) {
    const { message, request } = this;
    if (message === null) return;
    this.message = null;
    if (this.bodyFull) {
      this.bodyFull = false;
      this.update();
    }
    message._end(trailers);
    if (request === null) return;
    // The connection is free when the response has been read and the request has been sent.
    if (message.readableEnded || (message._dumped && !message.readableLength)) {
      this.responseEnded(request, message);
    } else {
      message.prependOnceListener('end', () => this.responseEnded(request, message));
    }
  }

  responseEnded(request, res) {
    if (request.timeoutCb) {
      this.socket.removeListener('timeout', request.timeoutCb);
      request.timeoutCb = null;
    }
    this.socket.removeListener('timeout', this.onTimeout);
    request._responseEnded = true;
    if (!request.shouldKeepAlive) {
      if (!this.socket.writable) return;
      if (typeof this.socket.destroySoon === 'function') this.socket.destroySoon();
      else this.socket.end();
    } else if (request._finished && !this.socket.destroyed) {
      this.release(request, res);
    }
  }

  release(request) {
    if (this.request !== request) return;
    this.request = null;
    native.end(this.parser);
    request.destroyed = true;
    // The socket is no longer the response's to destroy.
    if (request.res) request.res.socket = null;
    this.forget();
    nextTick(setFree, request, this.socket);
  }

  onError(failure) {
    const { request, socket } = this;
    this.close();
    socket.destroy();
    if (request !== null) {
      socket._hadError = true;
      request._fail(failure);
    }
  }

  onEnd() {
    const { request, socket } = this;
    if (this.closed || request === null) {
      if (request === null) socket.destroy();
      return;
    }
    if (!request.res && !socket._hadError) {
      socket._hadError = true;
      request._fail(connectionReset('socket hang up'));
    }
    const failure = this.finish();
    if (failure !== undefined && request.res && !request.res.complete) this.close();
    socket.end();
  }

  onClose() {
    const { request, socket } = this;
    if (request === null) return;
    if (!this.closed) this.finish();
    this.close();
    this.request = null;
    socket._httpMessage = null;
    request.destroyed = true;
    const { res } = request;
    if (res) {
      if (!res.complete) res.destroy(connectionReset('aborted'));
      request._closed = true;
      request.emit('close');
      if (!res.aborted && res.readable) res.push(null);
    } else {
      if (!socket._hadError) {
        socket._hadError = true;
        request._fail(connectionReset('socket hang up'));
      }
      request._closed = true;
      request.emit('close');
    }
  }

  onUpgrade(res, head) {
    const { request, socket } = this;
    this.request = null;
    request.res = res;
    res.req = request;
    res._end();
    this.forget();
    socket.parser = null;
    if (request.timeoutCb) socket.removeListener('timeout', request.timeoutCb);
    socket.emit('agentRemove');
    socket._httpMessage = null;
    const event = request.method === 'CONNECT' ? 'connect' : 'upgrade';
    if (request.listenerCount(event) > 0) {
      request.upgradeOrConnect = true;
      request.emit(event, res, socket, head);
      request.destroyed = true;
      request._closed = true;
      request.emit('close');
    } else {
      socket.destroy();
    }
  }
}

function setFree(request, socket) {
  request._closed = true;
  request.emit('close');
  socket.emit('free');
}

function fromUrl(input) {
  if (typeof input === 'string') return require('url').urlToHttpOptions(new URL(input));
  return input instanceof URL ? require('url').urlToHttpOptions(input) : undefined;
}

function chooseAgent(options) {
  const usual = options._defaultAgent || agents.globalAgent;
  if (options.agent === false) return new usual.constructor();
  if (options.agent === null || options.agent === undefined) {
    return typeof options.createConnection === 'function' ? undefined : usual;
  }
  if (typeof options.agent.addRequest !== 'function') {
    throw invalidArgType('options.agent', ['Agent-like Object', 'undefined', 'false'],
      options.agent);
  }
  return options.agent;
}

function checkHost(host, name) {
  if (typeof host === 'string' || host === undefined || host === null) return;
  throw invalidArgType(`options.${name}`, ['string', 'undefined', 'null'], host);
}

function checkOptions(options, protocol, expected) {
  if (options.path && NO_PATH.test(String(options.path))) {
    throw withCode(TypeError, 'ERR_UNESCAPED_CHARACTERS',
      'Request path contains unescaped characters');
  }
  if (protocol !== expected) {
    throw withCode(TypeError, 'ERR_INVALID_PROTOCOL',
      `Protocol "${protocol}" not supported. Expected "${expected}"`);
  }
  checkHost(options.hostname, 'hostname');
  checkHost(options.host, 'host');
  if (options.timeout !== undefined) validateNumber(options.timeout, 'timeout');
  const { method } = options;
  if (method !== null && method !== undefined && typeof method !== 'string') {
    throw invalidArgType('options.method', 'string', method);
  }
  if (method && !isToken(method)) {
    throw withCode(TypeError, 'ERR_INVALID_HTTP_TOKEN',
      `Method must be a valid HTTP token ["${method}"]`);
  }
  if (options.maxHeaderSize !== undefined) {
    validateInteger(options.maxHeaderSize, 'maxHeaderSize', 0);
  }
  if (options.insecureHTTPParser !== undefined) {
    validateBoolean(options.insecureHTTPParser, 'options.insecureHTTPParser');
  }
  if (options.joinDuplicateHeaders !== undefined) {
    validateBoolean(options.joinDuplicateHeaders, 'options.joinDuplicateHeaders');
  }
}

function ClientRequest(input, given, done) {
  OutgoingMessage.call(this);
  const base = fromUrl(input);
  if (base === undefined) {
    done = given;
    given = input;
  } else if (typeof given === 'function') {
    done = given;
    given = undefined;
  }
  const options = { __proto__: null, ...base, ...given };
  this.agent = chooseAgent(options);
  const { agent } = this;
  const usual = options._defaultAgent || agents.globalAgent;
  const expected = agent?.protocol || usual.protocol;
  const protocol = options.protocol || usual.protocol;
  checkOptions(options, protocol, expected);
  const defaultPort = options.defaultPort || agent?.defaultPort;
  const port = options.port = options.port || defaultPort || 80;
  const host = options.host = options.hostname || options.host || 'localhost';
  if (options.timeout !== undefined) this.timeout = options.timeout;
  this.method = options.method ? options.method.toUpperCase() : 'GET';
  if (options.maxHeaderSize !== undefined) this.maxHeaderSize = options.maxHeaderSize;
  const { insecureHTTPParser } = options;
  if (insecureHTTPParser !== undefined) this.insecureHTTPParser = insecureHTTPParser;
  if (options.joinDuplicateHeaders) this.joinDuplicateHeaders = true;
  if (options.socketPath !== undefined) this.socketPath = options.socketPath;
  this.path = options.path || '/';
  this.host = host;
  this.protocol = protocol;
  if (done) this.once('response', done);
  if (NO_BODY_METHODS.has(this.method)) this.useChunkedEncodingByDefault = false;
  this.shouldKeepAlive = Boolean(agent && (agent.keepAlive || agent.maxSockets !== Infinity));
  setHeaders(this, options, host, port, defaultPort);
  if (options.signal) abortWith(this, options.signal);
  if (agent?.options?.timeout && this.timeout === undefined) this.timeout = agent.options.timeout;
  if (!agent && typeof options.createConnection === 'function') {
    connectBy(this, options);
    return;
  }
  // The request itself listens to the signal; its socket need not.
  if (options.signal !== undefined) delete options.signal;
  if (agent) agent.addRequest(this, options);
  else this.onSocket(net.createConnection({ ...options, path: options.socketPath }));
}
Object.setPrototypeOf(ClientRequest.prototype, OutgoingMessage.prototype);
Object.setPrototypeOf(ClientRequest, OutgoingMessage);

function connectBy(request, options) {
  request._last = true;
  request.shouldKeepAlive = false;
  let called = false;
  const done = (failure, socket) => {
    if (called) return;
    called = true;
    request.onSocket(socket, failure || null);
  };
  if (options.path || options.socketPath) options.path = options.socketPath;
  const made = options.createConnection(options, done);
  if (made) done(null, made);
}

function abortWith(request, signal) {
  const onAbort = () =>
    request.destroy(new AbortError(undefined, { cause: signal.reason }));
  if (signal.aborted) {
    onAbort();
  } else {
    signal.addEventListener('abort', onAbort, { once: true });
    request.once('close', () => signal.removeEventListener('abort', onAbort));
  }
}

function hostHeader(host, port, defaultPort) {
  let text = host;
  const colon = text.indexOf(':');
  if (colon !== -1 && colon !== text.lastIndexOf(':') && !text.startsWith('[')) {
    text = `[${text}]`;
  }
  return port && +port !== defaultPort ? `${text}:${port}` : text;
}

function setHeaders(request, options, host, port, defaultPort) {
  const { headers } = options;
  const isList = Array.isArray(headers);
  if (!isList) {
    if (headers && Array.isArray(headers.host)) {
      throw invalidArgType('options.headers.host', 'string', headers.host);
    }
    if (headers) for (const name of Object.keys(headers)) request.setHeader(name, headers[name]);
    const setsHost = host && (options.setHost === undefined || options.setHost);
    if (setsHost && !(headers && request.getHeader('host'))) {
      request.setHeader('Host', hostHeader(host, port, defaultPort));
    }
    if (options.auth && !request.getHeader('Authorization')) {
      request.setHeader('Authorization', `Basic ${Buffer.from(options.auth).toString('base64')}`);
    }
    if (headers && request.getHeader('expect')) request._implicitHeader();
  } else {
    request._storeHeader(firstLine(request), undefined, headers);
  }
}

function firstLine(request) {
  return `${request.method} ${request.path} HTTP/1.1\r\n`;
}

const { prototype } = ClientRequest;

prototype._implicitHeader = function _implicitHeader() {
  if (this._header !== null) {
    throw error('ERR_HTTP_HEADERS_SENT', 'Cannot render headers after they are sent to the client');
  }
  this._storeHeader(firstLine(this), undefined, this[kHeaders]);
};

// What a request starts with lives here: most requests never change most of it.
Object.assign(prototype, {
  agent: undefined,
  method: undefined,
  path: undefined,
  host: undefined,
  protocol: undefined,
  timeout: undefined,
  maxHeaderSize: undefined,
  insecureHTTPParser: undefined,
  joinDuplicateHeaders: undefined,
  socketPath: undefined,
  maxHeadersCount: null,
  aborted: false,
  reusedSocket: false,
  res: null,
  timeoutCb: null,
  _responseEnded: false,
  _failed: false,
  _finished: false,
});

prototype._onSocketError = function _onSocketError(failure) {
  if (this.socket) this.socket._hadError = true;
  this._fail(failure);
};

prototype._writesPast = function writesPast(data, encoding, callback) {
  const conn = this.socket[kConnection];
  if (!this.finished || encoding !== 'latin1' || typeof data !== 'string' ||
      typeof callback !== 'function' || conn?.request !== this || !conn.isClear()) return false;
  const status = native.send(conn.handle, data, (result) => {
    this._isWaiting = false;
    if (result < 0) conn.socket.destroy(systemError(result, 'write'));
    else callback();
  });
  if (status === 1) nextTick(callback);
  else if (status === 0) this._isWaiting = true;
  return status >= 0;
};

prototype._onFinished = function _onFinished() {
  this._finished = true;
  const conn = this.socket && this.socket[kConnection];
  if (conn && conn.request === this && this._responseEnded && this.shouldKeepAlive) {
    conn.release(this, this.res);
  }
};

prototype._finish = function _finish() {
  OutgoingMessage.prototype._finish.call(this);
  told['http.client.request.start']?.publish({ request: this });
  told.measures?.clientBegins(this);
};

// Reports a failure once.
prototype._fail = function _fail(failure) {
  this[kErrored] ??= failure;
  if (this._failed) return;
  this._failed = true;
  told['http.client.request.error']?.publish({ request: this, error: failure });
  this.emit('error', failure);
};

prototype.onSocket = function onSocket(socket, failure) {
  nextTick(takeSocket, this, socket, failure);
};

function takeSocket(request, socket, failure) {
  if (request.destroyed || failure) {
    refuseSocket(request, socket, failure);
    return;
  }
  useSocket(request, socket);
  if (request[kOutput] !== null || request.finished) request._flush();
}

// The request has ended before it got a connection: that one is free for others, or goes.
function refuseSocket(request, socket, failure) {
  const reason = failure || request[kErrored] || undefined;
  if (!socket) {
    closeWithoutSocket(request, reason);
  } else if (!failure && request.agent && !socket.destroyed) {
    socket.emit('free');
    closeWithoutSocket(request, reason);
  } else {
    finished(socket.destroy(reason), (other) => {
      closeWithoutSocket(request,
        other?.code === 'ERR_STREAM_PREMATURE_CLOSE' ? reason : other || reason);
    });
  }
}

function closeWithoutSocket(request, failure) {
  request.destroyed = true;
  if (request._closed) return;
  if (!failure && !request.aborted) failure = connectionReset('socket hang up');
  if (failure) request._fail(failure);
  request._closed = true;
  request.emit('close');
}

function useSocket(request, socket) {
  const conn = socket[kConnection] ?? new ClientConnection(socket, request);
  conn.serve(request);
  request.socket = socket;
  socket._httpMessage = request;
  if (request.timeout !== undefined) listenForTimeout(request);
  request.emit('socket', socket);
}

function listenForTimeout(request) {
  if (request.timeoutCb) return;
  request.timeoutCb = () => request.emit('timeout');
  if (request.socket) request.socket.once('timeout', request.timeoutCb);
  else request.once('socket', (socket) => socket.once('timeout', request.timeoutCb));
}

prototype.setTimeout = function setTimeout(ms, callback) {
  if (this._responseEnded) return this;
  ms = require('internal/timers/legacy').duration(ms, 'msecs');
  if (callback) this.once('timeout', callback);
  listenForTimeout(this);
  this.timeout = ms;
  const start = (socket) => {
    if (socket.connecting) socket.once('connect', () => socket.setTimeout(ms));
    else socket.setTimeout(ms);
  };
  if (this.socket) start(this.socket);
  else this.once('socket', start);
  return this;
};

prototype.setNoDelay = function setNoDelay(enable) {
  if (this.socket) this.socket.setNoDelay(enable);
  else this.once('socket', (socket) => socket.setNoDelay(enable));
};
prototype.setSocketKeepAlive = function setSocketKeepAlive(enable, delay) {
  if (this.socket) this.socket.setKeepAlive(enable, delay);
  else this.once('socket', (socket) => socket.setKeepAlive(enable, delay));
};
prototype.clearTimeout = function clearTimeout(callback) {
  this.setTimeout(0, callback);
};

prototype.abort = function abort() {
  if (this.aborted) return;
  this.aborted = true;
  process.nextTick(() => this.emit('abort'));
  this.destroy();
};

prototype[Symbol.for('nodejs.rejection')] = function onRejection(failure) {
  this.destroy(failure);
};

prototype.destroy = function destroy(failure) {
  if (this.destroyed) return this;
  this.destroyed = true;
  if (this.res) this.res._dump();
  this[kErrored] = failure ?? null;
  // A request that waits for a connection ends when it gets one.
  if (this.socket) this.socket.destroy(failure);
  return this;
};

module.exports = { ClientRequest };
