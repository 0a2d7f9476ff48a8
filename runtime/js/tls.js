'use strict';
const { SecureContext, createSecureContext, native } = require('internal/tls/context');
const { TLSSocket } = require('internal/tls/socket');
const { Server } = require('internal/tls/server');
const { connect } = require('internal/tls/connect');
const { checkServerIdentity } = require('internal/tls/identity');
const { convertProtocols } = require('internal/tls/hello');
const settings = require('internal/tls/settings');
const { rootCertificates } = require('internal/tls/roots');

let ciphers;

function getCiphers() {
  if (ciphers === undefined) {
    ciphers = [...new Set(native().ciphers().map((name) => name.toLowerCase()))].sort();
  }
  return ciphers.slice();
}

module.exports = {
  CLIENT_RENEG_LIMIT: 3,
  CLIENT_RENEG_WINDOW: 600,
  DEFAULT_CIPHERS: undefined,
  DEFAULT_ECDH_CURVE: undefined,
  DEFAULT_MIN_VERSION: undefined,
  DEFAULT_MAX_VERSION: undefined,
  getCiphers,
  rootCertificates: undefined,
  convertALPNProtocols(protocols, out) {
    if (Array.isArray(protocols) || ArrayBuffer.isView(protocols)) {
      out.ALPNProtocols = convertProtocols(protocols);
    }
  },
  checkServerIdentity, createSecureContext, SecureContext, TLSSocket, Server,
  createServer: (options, listener) => new Server(options, listener),
  connect,
  createSecurePair: require('internal/tls/pair').createSecurePair,
};
for (const name of Object.keys(settings)) {
  Object.defineProperty(module.exports, name, { configurable: true, enumerable: true,
    get: () => settings[name], set(value) { settings[name] = value; } });
}
Object.defineProperty(module.exports, 'rootCertificates',
  { configurable: false, enumerable: true, get: rootCertificates });
