'use strict';
// What a server decides while the handshake waits: which certificate, which protocol, which
// session. And the keys that both sides know already (PSK).

const { native } = require('internal/tls/context');
const { withCode, invalidArgType, validateFunction } = require('internal/errors');

// A list of names, each with its length before it; bytes are taken as they are.
function convertProtocols(protocols) {
  if (ArrayBuffer.isView(protocols)) {
    return Buffer.from(protocols.buffer.slice(protocols.byteOffset,
      protocols.byteOffset + protocols.byteLength));
  }
  const parts = [];
  protocols.forEach((name, index) => {
    const length = Buffer.byteLength(name);
    if (length > 255) {
      throw Object.assign(withCode(RangeError, 'ERR_OUT_OF_RANGE',
        `The byte length of the protocol at index ${index} exceeds the maximum length.` +
        ` It must be <= 255. Received ${length}`));
    }
    parts.push(Buffer.from([length]), Buffer.from(name));
  });
  return Buffer.concat(parts);
}

function takeAlpn(options) {
  if (options.ALPNProtocols) {
    const given = options.ALPNProtocols;
    if (Array.isArray(given) || ArrayBuffer.isView(given)) {
      options.ALPNProtocols = convertProtocols(given);
    }
  }
  if (options.ALPNCallback) {
    if (typeof options.ALPNCallback !== 'function') {
      throw invalidArgType('options.ALPNCallback', 'function', options.ALPNCallback);
    }
    if (options.ALPNProtocols) {
      throw withCode(TypeError, 'ERR_TLS_ALPN_CALLBACK_WITH_PROTOCOLS',
        'The ALPNCallback and ALPNProtocols TLS options are mutually exclusive');
    }
  }
}

function prepareServer(socket, options) {
  const { server, SNICallback } = options;
  const engine = socket._engine;
  if (SNICallback) {
    validateFunction(SNICallback, 'options.SNICallback');
    socket._SNICallback = SNICallback;
  }
  if (SNICallback || options.ALPNCallback || server?.listenerCount('resumeSession') > 0) {
    native().wantHello(engine);
  }
  if (server?.listenerCount('newSession') > 0) native().wantSessions(engine);
  if (server?.listenerCount('OCSPRequest') > 0) native().wantCertificate(engine);
  if (server?.listenerCount('keylog') > 0) {
    native().wantKeys(engine);
    socket.on('keylog', (line) => server.emit('keylog', line, socket));
  }
}

function fail(socket, error) {
  if (!socket.destroyed) socket._emitTLSError(error);
}

function proceed(socket) {
  if (socket._engine === null) return;
  native().proceed(socket._engine);
  require('internal/tls/socket').receive(socket, undefined);
}

// A callback that counts once.
function once(socket, work) {
  let called = false;
  return (error, value) => {
    if (called) {
      fail(socket, withCode(Error, 'ERR_MULTIPLE_CALLBACK', 'Callback called multiple times'));
      return;
    }
    called = true;
    if (error) fail(socket, error);
    else if (socket._engine === null) {
      fail(socket, withCode(Error, 'ERR_SOCKET_CLOSED', 'Socket is closed'));
    } else {
      work(value);
    }
  };
}

function answer(socket, servername, alpn, sessionId, hasTicket) {
  if (servername) socket.servername = servername;
  resume(socket, sessionId, hasTicket, () =>
    chooseContext(socket, servername, () => {
      if (chooseProtocol(socket, servername, alpn)) proceed(socket);
    }));
}

function resume(socket, id, hasTicket, next) {
  const { server } = socket._tlsOptions;
  if (!server || id.length === 0 || hasTicket || server.listenerCount('resumeSession') === 0) {
    next();
    return;
  }
  server.emit('resumeSession', id, once(socket, (session) => {
    if (session) native().setSession(socket._engine, session);
    next();
  }));
}

function chooseContext(socket, servername, next) {
  if (!servername || !socket._SNICallback) {
    next();
    return;
  }
  socket._SNICallback(servername, once(socket, (chosen) => {
    if (chosen) {
      const box = chosen.context?.box ?? chosen.box;
      if (box === undefined) {
        fail(socket, withCode(TypeError, 'ERR_TLS_INVALID_CONTEXT',
          'Invalid SNI context'));
        return;
      }
      native().setContext(socket._engine, box);
    }
    next();
  }));
}

function namesOf(bytes) {
  const names = [];
  for (let at = 0; at < bytes.length; at += bytes[at] + 1) {
    names.push(bytes.toString('latin1', at + 1, at + 1 + bytes[at]));
  }
  return names;
}

function chooseProtocol(socket, servername, offered) {
  const { ALPNCallback } = socket._tlsOptions;
  if (!ALPNCallback || offered.length === 0) return true;
  const protocols = namesOf(offered);
  const selected = ALPNCallback.call(socket, { servername, protocols });
  if (selected !== undefined && !protocols.includes(selected)) {
    fail(socket, withCode(TypeError, 'ERR_TLS_ALPN_CALLBACK_INVALID_RESULT',
      `ALPN callback returned a value (${selected}) that did not match any of the client's ` +
      `offered protocols (${protocols.join(', ')})`));
    return false;
  }
  // A name that nobody offered: the client is told that there is none in common.
  native().setAlpn(socket._engine, selected === undefined ? Buffer.from([1, 255])
    : convertProtocols([selected]));
  return true;
}

function certificate(socket, wantsOcsp) {
  const { server, secureContext } = socket._tlsOptions;
  if (!wantsOcsp || !server) {
    proceed(socket);
    return;
  }
  const { context } = secureContext;
  server.emit('OCSPRequest', context.getCertificate(), context.getIssuer(),
    once(socket, (response) => {
      if (response) native().setOcsp(socket._engine, response);
      proceed(socket);
    }));
}

function newSession(socket, id, session) {
  const { server } = socket._tlsOptions;
  if (!server) return;
  let called = false;
  socket._newSessionPending = true;
  const done = () => {
    if (called) return;
    called = true;
    socket._newSessionPending = false;
    if (socket._securePending) {
      socket._securePending = false;
      socket._finishInit();
    }
  };
  if (!server.emit('newSession', id, session, done)) done();
}

function checkKey(result, longest) {
  const { psk } = result;
  if (!ArrayBuffer.isView(psk)) {
    throw invalidArgType('psk', ['Buffer', 'TypedArray', 'DataView'], psk);
  }
  if (psk.byteLength > longest) {
    throw withCode(TypeError, 'ERR_INVALID_ARG_VALUE',
      `The argument 'psk' Pre-shared key exceeds ${longest} bytes. Received ${psk.byteLength}`);
  }
}

// Asked inside the handshake: the answer can't wait, and a failure is told later.
function psk(socket, args) {
  const { isServer, pskCallback } = socket._tlsOptions;
  try {
    let found = isServer ? pskCallback(socket, args[0]) : pskCallback(args[0]);
    if (!found) return undefined;
    if (isServer && ArrayBuffer.isView(found)) found = { psk: found };
    if (typeof found !== 'object') throw invalidArgType('ret', 'Object', found);
    checkKey(found, args[1]);
    if (!isServer && typeof found.identity !== 'string') {
      throw invalidArgType('identity', 'string', found.identity);
    }
    if (!isServer && Buffer.byteLength(found.identity) > args[2]) {
      throw withCode(TypeError, 'ERR_INVALID_ARG_VALUE',
        `The argument 'identity' PSK identity exceeds ${args[2]} bytes. Received ${
          Buffer.byteLength(found.identity)}`);
    }
    return found;
  } catch (error) {
    process.nextTick(() => { if (!socket.destroyed) socket.destroy(error); });
    return undefined;
  }
}

module.exports = { convertProtocols, takeAlpn, prepareServer, answer, certificate, newSession,
  psk };
