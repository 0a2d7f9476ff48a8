'use strict';
const { absentAll } = require('internal/absent');
const net = require('net');

// A stream that stands in for a socket.
class JSStreamSocket extends net.Socket {
  constructor(stream) {
    super();
    this.stream = stream;
  }
}

// It can be made, since programs look at its prototype; nothing ever passes through it.
class TLSSocket extends net.Socket {
  constructor(socket) {
    super();
    this._parent = socket;
    this._handle = { _parentWrap: socket instanceof net.Socket ? undefined
      : new JSStreamSocket(socket) };
    this.encrypted = true;
  }
}

module.exports = {
  ...absentAll('tls', ['Server', 'SecureContext', 'checkServerIdentity', 'connect',
    'createSecureContext', 'createSecurePair', 'createServer'], 'TLS'),
  TLSSocket,
  CLIENT_RENEG_LIMIT: 3,
  CLIENT_RENEG_WINDOW: 600,
  DEFAULT_CIPHERS: '',
  DEFAULT_ECDH_CURVE: 'auto',
  DEFAULT_MIN_VERSION: 'TLSv1.2',
  DEFAULT_MAX_VERSION: 'TLSv1.3',
  getCiphers: () => [],
  rootCertificates: [],
};
