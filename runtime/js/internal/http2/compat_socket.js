'use strict';
// The socket of a request or response: that of the session, but it ends the stream only.

const { h2Error } = require('internal/http2/errors');

const kRequest = Symbol('request'); // of a stream
const kResponse = Symbol('response');
const kProxy = Symbol('proxy');
const OF_STREAM = new Set(['on', 'once', 'end', 'emit', 'destroy']);
const OF_SESSION = new Set(['setTimeout']);
const FORBIDDEN = new Set(['write', 'read', 'pause', 'resume']);

function socketOf(stream) {
  stream[kProxy] ??= makeProxy(stream);
  return stream[kProxy];
}

function makeProxy(stream) {
  return new Proxy(stream, {
    has(target, name) {
      const owner = target.session?.socket;
      return name in target || (owner !== undefined && name in owner);
    },
    get(target, name) {
      if (OF_STREAM.has(name)) return target[name].bind(target);
      if (name === 'writable' || name === 'destroyed') return target[name];
      if (name === 'readable') {
        if (target.destroyed) return false;
        const request = target[kRequest];
        return request ? request.readable : target.readable;
      }
      const { session } = target;
      if (OF_SESSION.has(name)) {
        return session === undefined ? target.setTimeout.bind(target)
          : session.setTimeout.bind(session);
      }
      if (FORBIDDEN.has(name)) throw h2Error('NO_SOCKET_MANIPULATION');
      const owner = session === undefined ? target : session.socket;
      const value = owner[name];
      return typeof value === 'function' ? value.bind(owner) : value;
    },
    getPrototypeOf(target) {
      return Reflect.getPrototypeOf(target.session !== undefined ? target.session.socket : target);
    },
    set(target, name, value) {
      if (name === 'writable' || name === 'readable' || name === 'destroyed' ||
          OF_STREAM.has(name)) {
        target[name] = value;
        return true;
      }
      const { session } = target;
      if (OF_SESSION.has(name)) {
        (session ?? target)[name] = value;
        return true;
      }
      if (FORBIDDEN.has(name)) throw h2Error('NO_SOCKET_MANIPULATION');
      (session === undefined ? target : session.socket)[name] = value;
      return true;
    },
  });
}

// Listeners stand in rows: a name, and who hears it.
function listen(emitter, rows) {
  for (let i = 0; i < rows.length; i += 2) emitter.on(rows[i], rows[i + 1]);
}

module.exports = { kRequest, kResponse, listen, socketOf };
