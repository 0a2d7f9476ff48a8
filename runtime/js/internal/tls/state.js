'use strict';
// What a TLS socket can tell of its connection.

const { native } = require('internal/tls/context');
const { withCode, invalidArgType } = require('internal/errors/errors');
const { validateString, validateFunction, validateObject, validateUint32, validateBuffer,
  validateInt32 } = require('internal/errors/validators');

// Each issuer is a property of the certificate it issued; a root is its own issuer.
function linked(list) {
  for (let i = 0; i < list.length; i++) {
    const { isRoot } = list[i];
    delete list[i].isRoot;
    if (isRoot) list[i].issuerCertificate = list[i];
    else if (i + 1 < list.length) list[i].issuerCertificate = list[i + 1];
  }
  return list[0];
}

function withoutMark(certificate) {
  delete certificate.isRoot;
  return certificate;
}

function refusal(socket) {
  if (socket.getProtocol() === 'TLSv1.3') {
    return Object.assign(new Error('error:0A00010A:SSL routines::wrong ssl version'), {
      library: 'SSL routines', reason: 'wrong ssl version', code: 'ERR_SSL_WRONG_SSL_VERSION',
    });
  }
  return withCode(Error, 'ERR_TLS_RENEGOTIATION_DISABLED',
    'TLS session renegotiation disabled for this socket');
}

// Methods that ask the engine, which is gone when the socket is.
const asked = {
  getCertificate: (engine) => native().certificate(engine) ?? {},
  getCipher: (engine) => native().cipher(engine),
  getProtocol: (engine) => native().protocol(engine),
  getSession: (engine, socket) => socket._told ?? native().session(engine),
  getTLSTicket: (engine, socket) => native().ticket(engine, socket._told),
  isSessionReused: (engine) => native().isReused(engine),
  getFinished: (engine) => native().finished(engine),
  getPeerFinished: (engine) => native().peerFinished(engine),
  getSharedSigalgs: (engine) => native().sharedSignatures(engine),
};

const methods = {
  getPeerCertificate(detailed) {
    if (this._engine === null) return null;
    const list = native().peerCertificates(this._engine, Boolean(detailed));
    if (list.length === 0) return {};
    return detailed ? linked(list) : withoutMark(list[0]);
  },

  getPeerX509Certificate() {
    if (this._engine === null) return undefined;
    const chain = native().peerCertificates(this._engine, true);
    return require('internal/crypto/x509').chainOf(chain.map((one) => one.raw));
  },

  getX509Certificate() {
    const raw = this.getCertificate()?.raw;
    return raw === undefined ? undefined : new (require('crypto').X509Certificate)(raw);
  },

  getEphemeralKeyInfo() {
    if (this._engine === null || this._tlsOptions.isServer) return null;
    return native().ephemeralKey(this._engine);
  },

  exportKeyingMaterial(length, label, context) {
    validateUint32(length, 'length', true);
    validateString(label, 'label');
    if (context !== undefined) validateBuffer(context, 'context');
    if (!this._secureEstablished) {
      throw withCode(Error, 'ERR_TLS_INVALID_STATE',
        'TLS socket connection must be securely established');
    }
    if (this._engine === null) return undefined;
    return native().exportKeys(this._engine, length, label, context);
  },

  setMaxSendFragment(size) {
    validateInt32(size, 'size');
    return this._engine !== null && native().setMaxFragment(this._engine, size);
  },

  disableRenegotiation() {},

  // It is off: a peer that asks for it gets an alert, and we never ask.
  renegotiate(options, callback) {
    validateObject(options, 'options');
    if (callback !== undefined) validateFunction(callback, 'callback');
    if (this.destroyed) return undefined;
    if (this._requestCert !== undefined && options.requestCert !== undefined) {
      this._requestCert = Boolean(options.requestCert);
    }
    if (callback) process.nextTick(callback, refusal(this));
    return false;
  },

  setKeyCert(context) {
    if (this._engine === null) return;
    let box = context?.context?.box;
    if (box === undefined) {
      box = require('internal/tls/context').createSecureContext(context).context.box;
    }
    native().setContext(this._engine, box);
  },

  enableTrace() {},
};

function extend(prototype) {
  for (const name of Object.keys(asked)) {
    const ask = asked[name];
    define(prototype, name, function() {
      return this._engine === null ? null : ask(this._engine, this);
    });
  }
  for (const name of Object.keys(methods)) define(prototype, name, methods[name]);
}

function define(prototype, name, value) {
  Object.defineProperty(value, 'name', { value: name });
  Object.defineProperty(prototype, name,
    { value, writable: true, configurable: true, enumerable: true });
}

module.exports = { extend, invalidArgType };
