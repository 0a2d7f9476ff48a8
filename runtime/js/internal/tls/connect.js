'use strict';
const net = require('net');
const { TLSSocket } = require('internal/tls/socket');
const { checkServerIdentity } = require('internal/tls/identity');
const { onConnectSecure, onConnectEnd, kConnectOptions } = require('internal/tls/verify');
const { logKeys } = require('internal/tls/keylog');
const settings = require('internal/tls/settings');
const { normalizeArgs } = require('internal/net/server');
const { validateFunction, validateString } = require('internal/errors/validators');

let isWarned = false;
let isNameWarned = false;

function allowsUnauthorized() {
  const isOff = process.env.NODE_TLS_REJECT_UNAUTHORIZED === '0';
  if (isOff && !isWarned) {
    isWarned = true;
    process.emitWarning('Setting the NODE_TLS_REJECT_UNAUTHORIZED environment variable to \'0\' ' +
      'makes TLS connections and HTTPS requests insecure by disabling certificate verification.');
  }
  return isOff;
}

// port, host, options and callback, each where it is given
function readArguments(args) {
  const [options, callback] = normalizeArgs(args);
  for (const more of [args[1], args[2]]) {
    if (more !== null && typeof more === 'object') {
      Object.assign(options, more);
      break;
    }
  }
  return [options, callback];
}

function warnOfAddress(name) {
  if (isNameWarned || !net.isIP(name)) return;
  isNameWarned = true;
  process.emitWarning('Setting the TLS ServerName to an IP address is not permitted by RFC 6066. ' +
    'This will be ignored in a future version.', 'DeprecationWarning', 'DEP0123');
}

function checkOptions(options) {
  validateFunction(options.checkServerIdentity, 'options.checkServerIdentity');
  if (typeof options.minDHSize !== 'number') {
    throw new Error(`options.minDHSize is not a number: ${options.minDHSize}`);
  }
  if (!(options.minDHSize > 0)) {
    throw new Error('options.minDHSize is not a positive number: ' + options.minDHSize);
  }
  if (options.servername !== undefined && options.servername !== null &&
      options.servername !== false) {
    validateString(options.servername, 'options.servername');
  }
}

function connect(...args) {
  const [given, callback] = readArguments(args);
  const options = { rejectUnauthorized: !allowsUnauthorized(), checkServerIdentity,
    minDHSize: 1024, ciphers: settings.DEFAULT_CIPHERS, ...given };
  if (!options.keepAlive) options.singleUse = true;
  checkOptions(options);
  const secureContext = options.secureContext || require('tls').createSecureContext(options);
  const socket = new TLSSocket(options.socket, {
    allowHalfOpen: options.socket ? options.socket.allowHalfOpen : Boolean(options.allowHalfOpen),
    pipe: Boolean(options.path), secureContext, isServer: false, requestCert: true,
    rejectUnauthorized: options.rejectUnauthorized !== false, session: options.session,
    ALPNProtocols: options.ALPNProtocols, requestOCSP: options.requestOCSP,
    enableTrace: options.enableTrace, pskCallback: options.pskCallback,
    highWaterMark: options.highWaterMark, onread: options.onread, signal: options.signal,
  });
  options.rejectUnauthorized = options.rejectUnauthorized !== false;
  socket[kConnectOptions] = options;
  if (callback) socket.once('secureConnect', callback);
  // A signal may have ended it already: connect() would begin it anew.
  if (!options.socket && !socket.destroyed) {
    if (options.timeout) socket.setTimeout(options.timeout);
    socket.connect(options, socket._start);
  }
  socket._releaseControl();
  if (options.servername) {
    warnOfAddress(options.servername);
    socket.setServername(options.servername);
  }
  if (options.socket) socket._start();
  logKeys(socket);
  socket.on('secure', onConnectSecure);
  socket.prependListener('end', onConnectEnd);
  return socket;
}

module.exports = { connect };
