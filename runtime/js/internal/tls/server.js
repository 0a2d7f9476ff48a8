'use strict';
// A server whose connections are TLSSockets.

const net = require('net');
const { TLSSocket } = require('internal/tls/socket');
const { verifyError } = require('internal/tls/verify');
const hello = require('internal/tls/hello');
const { native, createSecureContext, SecureContext } = require('internal/tls/context');
const { logKeys } = require('internal/tls/keylog');
const { withMethods } = require('internal/util/callable');
const { withCode, invalidArgType, invalidArgValue } = require('internal/errors/errors');
const { validateNumber, validateString, validateFunction, validateBuffer } =
  require('internal/errors/validators');

const kErrorTold = Symbol('errorTold');
const SHARED = ['pfx', 'key', 'passphrase', 'cert', 'clientCertEngine', 'ca', 'minVersion',
  'maxVersion', 'secureProtocol', 'crl', 'ciphers', 'ecdhCurve', 'dhparam', 'secureOptions',
  'honorCipherOrder', 'sessionIdContext', 'ticketKeys', 'sessionTimeout', 'sigalgs',
  'privateKeyEngine', 'privateKeyIdentifier', 'allowPartialTrustChain'];

function Server(options, listener) {
  if (!(this instanceof Server)) return new Server(options, listener);
  if (typeof options === 'function') {
    listener = options;
    options = {};
  } else if (options === null || options === undefined) {
    options = {};
  } else if (typeof options !== 'object') {
    throw invalidArgType('options', 'Object', options);
  }
  this._contexts = [];
  this.requestCert = options.requestCert === true;
  this.rejectUnauthorized = options.rejectUnauthorized !== false;
  this.ALPNCallback = options.ALPNCallback;
  if (this.ALPNCallback) validateFunction(this.ALPNCallback, 'options.ALPNCallback');
  if (options.sessionTimeout) this.sessionTimeout = options.sessionTimeout;
  if (options.ticketKeys) this.ticketKeys = options.ticketKeys;
  this.ALPNProtocols = options.ALPNProtocols;
  takeAlpn(this, options);
  this.setSecureContext(options);
  this._handshakeTimeout = options.handshakeTimeout || 120 * 1000;
  validateNumber(this._handshakeTimeout, 'options.handshakeTimeout');
  this._SNICallback = options.SNICallback;
  if (this._SNICallback !== undefined && this._SNICallback !== null) {
    validateFunction(this._SNICallback, 'options.SNICallback');
  }
  for (const name of ['pskCallback', 'pskIdentityHint', 'enableTrace']) {
    this[`_${name}`] = options[name];
  }
  if (options.pskCallback) validateFunction(options.pskCallback, 'options.pskCallback');
  if (options.pskIdentityHint) validateString(options.pskIdentityHint, 'options.pskIdentityHint');
  if (options.enableTrace !== undefined && typeof options.enableTrace !== 'boolean') {
    throw invalidArgType('options.enableTrace', 'boolean', options.enableTrace);
  }
  net._Server.call(this, options, (socket) => onConnection(this, socket));
  logKeys(this);
  if (listener) this.on('secureConnection', listener);
}

function takeAlpn(server, options) {
  const { ALPNProtocols } = options;
  if (!ALPNProtocols) return;
  if (options.ALPNCallback) {
    throw withCode(TypeError, 'ERR_TLS_ALPN_CALLBACK_WITH_PROTOCOLS',
      'The ALPNCallback and ALPNProtocols TLS options are mutually exclusive');
  }
  if (Array.isArray(ALPNProtocols) || ArrayBuffer.isView(ALPNProtocols)) {
    server.ALPNProtocols = hello.convertProtocols(ALPNProtocols);
  }
}

function onConnection(server, raw) {
  const needsName = server._SNICallback || server._contexts.length > 0;
  const socket = new TLSSocket(raw, {
    secureContext: server._sharedCreds, isServer: true, server,
    requestCert: server.requestCert, rejectUnauthorized: server.rejectUnauthorized,
    handshakeTimeout: server._handshakeTimeout, ALPNProtocols: server.ALPNProtocols,
    ALPNCallback: server.ALPNCallback,
    SNICallback: needsName ? server._SNICallback ?? findByName(server) : undefined,
    enableTrace: server._enableTrace, pauseOnConnect: server.pauseOnConnect,
    pskCallback: server._pskCallback, pskIdentityHint: server._pskIdentityHint,
  });
  socket.server = server;
  socket.on('secure', onSecure);
  socket[kErrorTold] = false;
  socket.on('close', onClose);
  socket.on('_tlsError', onTlsError);
}

function onSecure() {
  const { server } = this._tlsOptions;
  if (this._requestCert) {
    const failure = verifyError(this);
    if (failure !== undefined) {
      this.authorizationError = failure.code;
      if (this._rejectUnauthorized) this.destroy();
    } else {
      this.authorized = true;
    }
  }
  if (!this.destroyed && this._releaseControl()) {
    this.secureConnecting = false;
    server.emit('secureConnection', this);
  }
}

// A connection that ends before it is secure is an error of the client.
function onClose(hadError) {
  if (hadError && this._controlReleased) return;
  if (this._controlReleased || this[kErrorTold]) return;
  this[kErrorTold] = true;
  const failure = this.errored ?? reset();
  this._tlsOptions.server.emit('tlsClientError', failure, this);
}

function reset() {
  const error = new Error('socket hang up');
  error.code = 'ECONNRESET';
  return error;
}

function onTlsError(error) {
  if (this._controlReleased || this[kErrorTold]) return;
  this[kErrorTold] = true;
  this._tlsOptions.server.emit('tlsClientError', error, this);
}

// The context added last for a name that matches.
function findByName(server) {
  return (servername, callback) => {
    const contexts = server._contexts;
    for (let i = contexts.length - 1; i >= 0; i--) {
      if (contexts[i][0].test(servername)) {
        callback(null, contexts[i][1]);
        return;
      }
    }
    callback(null, undefined);
  };
}

let isOptionsWarned = false;

function defaultSessionId() {
  const { createHash } = require('crypto');
  return createHash('sha1').update(process.argv.join(' ')).digest('hex').slice(0, 32);
}

class ServerMethods extends net._Server {
  setSecureContext(options) {
    if (options === null || typeof options !== 'object') {
      throw invalidArgType('options', 'Object', options);
    }
    for (const name of SHARED) this[name] = options[name] || undefined;
    this.sessionIdContext = options.sessionIdContext || defaultSessionId();
    if (options.ticketKeys) this.ticketKeys = options.ticketKeys;
    // The server's order of ciphers counts, unless it is told otherwise.
    this.honorCipherOrder = options.honorCipherOrder === undefined ? true
      : Boolean(options.honorCipherOrder);
    const given = {};
    for (const name of SHARED) given[name] = this[name];
    given.sessionTimeout = options.sessionTimeout;
    given.ciphers = options.ciphers;
    given.ecdhCurve = options.ecdhCurve;
    given.sigalgs = options.sigalgs;
    this._sharedCreds = createSecureContext(given);
  }

  getTicketKeys() { return this._sharedCreds.context.getTicketKeys(); }

  setTicketKeys(keys) {
    validateBuffer(keys);
    if (keys.byteLength !== 48) {
      throw invalidArgValue('keys', keys.byteLength,
        'Session ticket keys must be a 48-byte buffer');
    }
    this._sharedCreds.context.setTicketKeys(keys);
  }

  addContext(servername, context) {
    if (!servername) {
      throw withCode(Error, 'ERR_TLS_REQUIRED_SERVER_NAME',
        '"servername" is required parameter for Server.addContext');
    }
    const pattern = new RegExp(`^${servername
      .replace(/([.^$+?\-\\[\]{}])/g, '\\$1').replaceAll('*', '[^.]*')}$`);
    const made = context instanceof SecureContext ? context : createSecureContext(context);
    this._contexts.push([pattern, made]);
  }

  // Its connections go on with the context that there is.
  setOptions(options) {
    if (!isOptionsWarned) {
      isOptionsWarned = true;
      process.emitWarning('Server.prototype.setOptions() is deprecated', 'DeprecationWarning',
        'DEP0122');
    }
    this.requestCert = options.requestCert === true;
    this.rejectUnauthorized = options.rejectUnauthorized !== false;
    for (const name of SHARED) if (options[name]) this[name] = options[name];
  }

  _getServerData() { return { ticketKeys: this.getTicketKeys().toString('hex') }; }

  _setServerData(data) { this.setTicketKeys(Buffer.from(data.ticketKeys, 'hex')); }

  // A listener that was async and failed.
  [Symbol.for('nodejs.rejection')](error, event, socket) {
    if (event === 'secureConnection') socket.destroy(error);
    else super[Symbol.for('nodejs.rejection')](error, event, socket);
  }
}
withMethods(Server, ServerMethods);

module.exports = { Server, native };
