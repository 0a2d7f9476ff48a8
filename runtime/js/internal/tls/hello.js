'use strict';
// What a server decides while the handshake waits: which certificate, which protocol, which
// session. And the keys that both sides know already (PSK).

const { native } = require('internal/tls/context');
const { withCode, invalidArgType } = require('internal/errors/errors');
const { validateFunction } = require('internal/errors/validators');

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

// Anything can be thrown; a socket that nothing is said about was hung up.
function fail(socket, error) {
  if (socket.destroyed) return;
  if (error) socket._emitTLSError(error);
  else socket.destroy();
}

function proceed(socket) {
  if (socket._engine === null || socket._parent?.destroyed) return;
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

// An answer that comes before the question has returned waits for that, so that a throw or a second
// answer after it still ends the connection. `thrown` says what a throw does.
function ask(socket, question, thrown, work) {
  let returned = false;
  let isAnswered = false;
  let early;
  try {
    question(once(socket, (value) => {
      if (returned) {
        work(value);
      } else {
        isAnswered = true;
        early = value;
      }
    }));
  } catch (error) {
    thrown(socket, error);
    return;
  } finally {
    returned = true;
  }
  if (isAnswered && socket._engine !== null && !socket.destroyed) work(early);
}

// A listener's error is an uncaught exception; if the program survives it, the client must not wait
// for an answer that nobody will give.
function endAndThrow(socket, error) {
  socket.destroy();
  throw error;
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
  ask(socket, (done) => server.emit('resumeSession', id, done), endAndThrow, (session) => {
    if (ArrayBuffer.isView(session)) native().setSession(socket._engine, session);
    next();
  });
}

function chooseContext(socket, servername, next) {
  if (!servername || !socket._SNICallback) {
    next();
    return;
  }
  ask(socket, (done) => socket._SNICallback(servername, done), fail, (chosen) => {
    if (useContext(socket, chosen)) next();
  });
}

// Whether the handshake may go on: what is given may throw when it is looked at.
function useContext(socket, chosen) {
  if (chosen === null || typeof chosen !== 'object') return true;
  try {
    const box = chosen.context?.box ?? chosen.box;
    if (box === undefined) throw new TypeError('Invalid SNI context');
    native().setContext(socket._engine, box);
    return true;
  } catch (error) {
    fail(socket, error);
    return false;
  }
}

function namesOf(bytes) {
  const names = [];
  for (let at = 0; at < bytes.length; at += bytes[at] + 1) {
    names.push(bytes.toString('latin1', at + 1, at + 1 + bytes[at]));
  }
  return names;
}

// The name that the program selects, as bytes with their length before them.
function selectProtocol(socket, servername, offered) {
  const { ALPNCallback } = socket._tlsOptions;
  const protocols = namesOf(offered);
  const selected = ALPNCallback.call(socket, { servername, protocols });
  // A name that nobody offered: the client is told that there is none in common.
  if (selected === undefined) return Buffer.from([1, 255]);
  if (!protocols.includes(selected)) {
    throw withCode(TypeError, 'ERR_TLS_ALPN_CALLBACK_INVALID_RESULT',
      `ALPN callback returned a value (${selected}) that did not match any of the client's ` +
      `offered protocols (${protocols.join(', ')})`);
  }
  return convertProtocols([selected]);
}

// Whether the handshake may go on.
function chooseProtocol(socket, servername, offered) {
  if (!socket._tlsOptions.ALPNCallback || offered.length === 0) return true;
  try {
    const selected = selectProtocol(socket, servername, offered);
    if (socket._engine === null) return false;
    native().setAlpn(socket._engine, selected);
    return true;
  } catch (error) {
    fail(socket, error);
    return false;
  }
}

function certificate(socket, wantsOcsp) {
  const { server, secureContext } = socket._tlsOptions;
  if (!wantsOcsp || !server) {
    proceed(socket);
    return;
  }
  const { context } = secureContext;
  const question = (done) =>
    server.emit('OCSPRequest', context.getCertificate(), context.getIssuer(), done);
  ask(socket, question, endAndThrow, (response) => {
    if (response) takeOcsp(socket, response);
    proceed(socket);
  });
}

function takeOcsp(socket, response) {
  if (!ArrayBuffer.isView(response)) {
    endAndThrow(socket, withCode(TypeError, 'ERR_INVALID_ARG_TYPE',
      'OCSP response must be a buffer'));
  }
  native().setOcsp(socket._engine, response);
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

const serverKeys = ['Buffer', 'TypedArray', 'DataView', 'Object'];

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

// Asked inside the handshake: the answer can't wait. Without one the handshake fails, and what was
// thrown is told as the reason.
function psk(socket, args) {
  const { isServer, pskCallback } = socket._tlsOptions;
  try {
    let found = isServer ? pskCallback(socket, args[0]) : pskCallback(args[0]);
    if (!found) return undefined;
    if (isServer && ArrayBuffer.isView(found)) found = { psk: found };
    if (typeof found !== 'object') {
      throw invalidArgType('ret', isServer ? serverKeys : 'object', found);
    }
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
    socket._pskFailure = error;
    return undefined;
  }
}

module.exports = { convertProtocols, takeAlpn, prepareServer, answer, certificate, newSession,
  psk };
