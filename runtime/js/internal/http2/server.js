'use strict';
// Servers of HTTP/2: over TLS, with HTTP/1 for those who want it, or in the clear.

const net = require('net');
const { ServerHttp2Session } = require('internal/http2/peers');
const { checkSession } = require('internal/http2/connect');
const { kSession } = require('internal/http2/session');
const { validateFunction, validateNumber, validateObject } = require('internal/errors/validators');
const settings = require('internal/http2/settings');
const { withMethods } = require('internal/util/callable');
const http1 = require('internal/http/server');

const kOptions = Symbol('options');
const kSessions = Symbol('sessions');
const REFUSAL = 'HTTP/1.0 403 Forbidden\r\nContent-Type: text/plain\r\nContent-Length: ';

function readOptions(options) {
  if (options !== undefined) validateObject(options, 'options');
  options = { ...options };
  if (options.settings !== undefined) validateObject(options.settings, 'options.settings');
  options.settings = { ...options.settings };
  checkSession(options);
  settings.check(options.settings);
  options.unknownProtocolTimeout ??= 10000;
  return options;
}

function onConnection(server, socket) {
  const options = server[kOptions];
  if (socket.alpnProtocol === false || socket.alpnProtocol === 'http/1.1') {
    if (options.allowHTTP1 === true) {
      http1.onConnection.call(server, socket);
      return;
    }
    refuse(server, socket, options);
    return;
  }
  serve(server, socket, options);
}

// Somebody who does not speak HTTP/2.
function refuse(server, socket, options) {
  const limit = options.unknownProtocolTimeout;
  const timer = setTimeout(() => { if (!socket.destroyed) socket.destroy(); }, limit);
  timer.unref();
  socket.once('close', () => clearTimeout(timer));
  if (server.emit('unknownProtocol', socket)) return;
  const kind = socket.alpnProtocol ? 'Unknown' : 'Missing';
  const text = `${kind} ALPN Protocol, expected \`h2\` to be available.\n` +
    'If this is a HTTP request: The server was not configured with the `allowHTTP1` option or a ' +
    'listener for the `unknownProtocol` event.\n';
  socket.end(`${REFUSAL}${text.length}\r\n\r\n${text}`);
}

function serve(server, socket, options) {
  socket.on('error', () => {});
  const session = new ServerHttp2Session(options, socket, server);
  server[kSessions].add(session);
  session.on('close', () => server[kSessions].delete(session));
  session.on('stream', (stream, headers, flags, raw) =>
    server.emit('stream', stream, headers, flags, raw));
  session.on('error', (error) => server.emit('sessionError', error, session));
  session.on('priority', (...args) => server.emit('priority', ...args));
  if (server.timeout) session.setTimeout(server.timeout);
  session.on('timeout', () => {
    if (session.listenerCount('timeout') > 1 || server.emit('timeout', session)) return;
    session.destroy();
  });
  if (Array.isArray(options.origins)) session.origin(...options.origins);
  server.emit('session', session);
  return session;
}

function setUp(server, options, listener) {
  server[kOptions] = options;
  server[kSessions] = new Set();
  server.timeout = 0;
  server.on('newListener', (event) => {
    if (event === 'request' || event === 'checkContinue' || event === 'checkExpectation') {
      startCompat(server, options);
    }
  });
  if (listener) server.on('request', listener);
}

function startCompat(server, options) {
  if (server._isCompat) return;
  server._isCompat = true;
  const { onServerStream } = require('internal/http2/compat');
  server.on('stream', (stream, headers, flags, raw) =>
    onServerStream(server, options, stream, headers, flags, raw));
}

const withSessions = (Base) => class extends Base {
  setTimeout(ms, callback) {
    this.timeout = ms;
    if (callback !== undefined) {
      validateFunction(callback, 'callback');
      this.on('timeout', callback);
    }
    return this;
  }

  updateSettings(wanted) {
    validateObject(wanted, 'settings');
    settings.check(wanted);
    this[kOptions].settings = { ...this[kOptions].settings, ...wanted };
  }

  closeAllConnections() {
    super.closeAllConnections?.();
    for (const session of [...this[kSessions]]) session.destroy();
  }

  [Symbol.for('nodejs.rejection')](error, event, ...args) {
    if (event === 'stream') {
      const [stream] = args;
      failStream(stream, error);
    } else if (event === 'request') {
      const [, res] = args;
      if (!res.headersSent && !res.finished) {
        res.statusCode = 500;
        for (const name of res.getHeaderNames()) res.removeHeader(name);
        res.end('Internal Server Error');
      } else {
        res.destroy(error);
      }
    } else {
      super[Symbol.for('nodejs.rejection')]?.(error, event, ...args);
    }
  }
};

function failStream(stream, error) {
  if (stream.headersSent || stream.destroyed) {
    stream.destroy(error);
    return;
  }
  stream.respond({ ':status': 500 });
  stream.end();
}

function Http2Server(given, listener) {
  const options = readOptions(given);
  net._Server.call(this, { allowHalfOpen: true, noDelay: true, ...given },
    (socket) => onConnection(this, socket));
  setUp(this, options, listener);
}
withMethods(Http2Server, withSessions(net._Server));

let SecureServer;

// TLS is loaded with the first server that needs it.
function secureClass() {
  if (SecureServer !== undefined) return SecureServer;
  const tls = require('tls');
  SecureServer = function Http2SecureServer(given, listener) {
    const options = readOptions(given);
    const secure = { noDelay: true, allowHalfOpen: true, ...given };
    if (!secure.ALPNCallback) {
      secure.ALPNProtocols = options.allowHTTP1 === true ? ['h2', 'http/1.1'] : ['h2'];
    }
    tls.Server.call(this, secure);
    http1.setUp(this, { ...options, ...options.http1Options,
      IncomingMessage: options.Http1IncomingMessage,
      ServerResponse: options.Http1ServerResponse }, undefined, 'phasorHttp1Connection');
    setUp(this, options, listener);
    this.on('secureConnection', (socket) => onConnection(this, socket));
    this.on('tlsClientError', (error, socket) => {
      if (!this.emit('clientError', error, socket)) socket.destroy(error);
    });
  };
  withMethods(SecureServer, withSessions(http1.withHttp(tls.Server)));
  return SecureServer;
}

function createServer(options, listener) {
  if (typeof options === 'function') {
    listener = options;
    options = {};
  }
  return new Http2Server(options, listener);
}

function createSecureServer(options, listener) {
  const Server = secureClass();
  return new Server(options, listener);
}

function performServerHandshake(socket, options = {}) {
  const made = readOptions(options);
  return new ServerHttp2Session(made, socket, undefined);
}

module.exports = { createServer, createSecureServer, performServerHandshake, kSession,
  validateNumber };
