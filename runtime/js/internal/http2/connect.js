'use strict';
const { ClientHttp2Session } = require('internal/http2/peers');
const { h2Error } = require('internal/http2/errors');
const settings = require('internal/http2/settings');
const { invalidArgType } = require('internal/errors/errors');
const { validateObject, validateNumber } = require('internal/errors/validators');

function checkSession(options) {
  if (options.settings !== undefined) {
    validateObject(options.settings, 'options.settings');
    settings.check(options.settings);
  }
  for (const name of ['maxSessionInvalidFrames', 'maxSessionRejectedStreams']) {
    if (options[name] !== undefined) {
      require('internal/errors/validators').validateUint32(options[name], name);
    }
  }
  if (options.unknownProtocolTimeout !== undefined) {
    require('internal/errors/validators').validateUint32(options.unknownProtocolTimeout,
      'unknownProtocolTimeout');
  }
}

function makeSocket(authority, options) {
  const { protocol } = options._target;
  const host = options._target.hostname;
  const port = options._target.port !== '' ? options._target.port
    : protocol === 'http:' ? '80' : '443';
  if (typeof options.createConnection === 'function') {
    return options.createConnection(authority, options);
  }
  const name = host[0] === '[' ? host.slice(1, -1) : host;
  if (protocol === 'http:') {
    return require('net').connect({ port, host: name, ...options });
  }
  const net = require('net');
  const secure = { ALPNProtocols: ['h2'], ...options };
  if (!secure.servername && !net.isIP(name)) secure.servername = name;
  return require('tls').connect(Number(port), name, secure);
}

function targetOf(authority) {
  const url = typeof authority === 'string' ? new URL(authority) : authority;
  if (url === null || typeof url !== 'object') {
    throw invalidArgType('authority', ['string', 'Object', 'URL'], authority);
  }
  const protocol = url.protocol ?? 'https:';
  return { protocol, hostname: url.hostname || url.host || 'localhost',
    port: `${url.port ?? ''}`, host: url.host };
}

function connect(authority, options, listener) {
  if (typeof options === 'function') {
    listener = options;
    options = undefined;
  }
  if (options !== undefined) validateObject(options, 'options');
  options = { ...options };
  checkSession(options);
  const target = targetOf(authority);
  options._target = { ...target, protocol: options.protocol ?? target.protocol };
  const { protocol } = options._target;
  if (protocol !== 'http:' && protocol !== 'https:') {
    if (typeof options.createConnection !== 'function') {
      throw h2Error('UNSUPPORTED_PROTOCOL', protocol);
    }
  }
  const usual = protocol === 'http:' ? '80' : '443';
  options._authority = (options.servername || target.hostname) +
    (target.port !== '' && target.port !== usual ? `:${target.port}` : '');
  options._protocol = protocol;
  const socket = makeSocket(authority, options);
  const session = new ClientHttp2Session(options, socket);
  if (typeof listener === 'function') session.once('connect', listener);
  return session;
}

Object.defineProperty(connect, require('util').promisify.custom, {
  async value(authority, options) {
    const session = connect(authority, options);
    await require('events').once(session, 'connect');
    return session;
  },
});

module.exports = { connect, checkSession, validateNumber };
