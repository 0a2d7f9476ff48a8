'use strict';
// The client's judgement when the handshake is done.

const { native } = require('internal/tls/context');
const { withCode } = require('internal/errors/errors');

const kPendingSession = Symbol('pendingSession');
const kIsVerified = Symbol('isVerified');
const kConnectOptions = Symbol('connectOptions');

// X509_V_ERR_*, by number: what Node calls them.
const CODES = { 2: 'UNABLE_TO_GET_ISSUER_CERT', 3: 'UNABLE_TO_GET_CRL',
  4: 'UNABLE_TO_DECRYPT_CERT_SIGNATURE', 5: 'UNABLE_TO_DECRYPT_CRL_SIGNATURE',
  6: 'UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY', 7: 'CERT_SIGNATURE_FAILURE', 8: 'CRL_SIGNATURE_FAILURE',
  9: 'CERT_NOT_YET_VALID', 10: 'CERT_HAS_EXPIRED', 11: 'CRL_NOT_YET_VALID', 12: 'CRL_HAS_EXPIRED',
  13: 'ERROR_IN_CERT_NOT_BEFORE_FIELD', 14: 'ERROR_IN_CERT_NOT_AFTER_FIELD',
  15: 'ERROR_IN_CRL_LAST_UPDATE_FIELD', 16: 'ERROR_IN_CRL_NEXT_UPDATE_FIELD', 17: 'OUT_OF_MEM',
  18: 'DEPTH_ZERO_SELF_SIGNED_CERT', 19: 'SELF_SIGNED_CERT_IN_CHAIN',
  20: 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 21: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  22: 'CERT_CHAIN_TOO_LONG', 23: 'CERT_REVOKED', 24: 'INVALID_CA', 25: 'PATH_LENGTH_EXCEEDED',
  26: 'INVALID_PURPOSE', 27: 'CERT_UNTRUSTED', 28: 'CERT_REJECTED', 62: 'HOSTNAME_MISMATCH' };

// undefined if the other side's certificate is one that we believe
function verifyError(socket) {
  const found = native().verifyError(socket._engine);
  if (found === null) return undefined;
  const error = new Error(found[1]);
  error.code = CODES[found[0]] ?? 'UNSPECIFIED';
  return error;
}

// What a few programs look for at `ssl`.
const viewOf = (socket) => ({
  fd: socket._handle?.fd ?? -1,
  verifyError: () => (socket._engine === null ? null : verifyError(socket) ?? null),
  isSessionReused: () => socket.isSessionReused(),
  getPeerCertificate: (detailed) => socket.getPeerCertificate(detailed),
  getSession: () => socket.getSession(),
  getCipher: () => socket.getCipher(),
  getProtocol: () => socket.getProtocol(),
});

function tooFewBits(socket, options) {
  const key = socket.getEphemeralKeyInfo();
  if (key?.type !== 'DH' || !(key.size < options.minDHSize)) return undefined;
  return withCode(Error, 'ERR_TLS_DH_PARAM_SIZE',
    `DH parameter size ${key.size} is less than ${options.minDHSize}`);
}

function onConnectSecure() {
  const options = this[kConnectOptions];
  const weak = tooFewBits(this, options);
  if (weak !== undefined) {
    this.destroy(weak);
    return;
  }
  let failure = verifyError(this);
  if (failure === undefined && !this.isSessionReused()) {
    const host = options.servername || options.host || options.socket?._host || 'localhost';
    failure = options.checkServerIdentity(host, this.getPeerCertificate(true));
  }
  if (failure) {
    this.authorized = false;
    this.authorizationError = failure.code || failure.message;
    if (options.rejectUnauthorized !== false) {
      this.destroy(failure);
      return;
    }
  } else {
    this.authorized = true;
  }
  this.secureConnecting = false;
  this.removeListener('end', onConnectEnd);
  this.emit('secureConnect');
  this[kIsVerified] = true;
  const pending = this[kPendingSession];
  this[kPendingSession] = undefined;
  if (pending) this.emit('session', pending);
}

function onConnectEnd() {
  if (this._hadError) return;
  this._hadError = true;
  const { path, host, port, localAddress } = this[kConnectOptions];
  this.destroy(Object.assign(new Error(
    'Client network socket disconnected before secure TLS connection was established'),
  { code: 'ECONNRESET', path, host, port, localAddress }));
}

// What a session is good for is known when the server is.
function session(socket, bytes) {
  if (socket[kConnectOptions] !== undefined && !socket[kIsVerified]) {
    socket[kPendingSession] = bytes;
  } else {
    socket.emit('session', bytes);
  }
}

module.exports = { verifyError, onConnectSecure, onConnectEnd, session, viewOf,
  kConnectOptions };
