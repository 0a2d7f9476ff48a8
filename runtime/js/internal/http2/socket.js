'use strict';
// What programs get as the socket of a session: they may look, but not read, write or end.

const { h2Error } = require('internal/http2/errors');

const kSocketOf = Symbol.for('phasor.http2.socket');
const FORBIDDEN = new Set(['pause', 'read', 'resume', 'write', 'setEncoding', 'setKeepAlive',
  'setNoDelay', 'emit', 'end']);

function socketOf(session) {
  const current = () => {
    const { kSocket } = require('internal/http2/session');
    return session[kSocket];
  };
  return new Proxy(session, {
    has(target, name) {
      const socket = current();
      if (socket === undefined) throw h2Error('SOCKET_UNBOUND');
      return name in socket || name in target;
    },
    get(target, name) {
      if (name === 'destroy' || name === 'emit' || name === 'end') {
        if (name === 'destroy') return session.destroy.bind(session);
      }
      if (name === 'setTimeout' || name === 'ref' || name === 'unref') {
        return session[name].bind(session);
      }
      if (FORBIDDEN.has(name)) {
        if (name === 'setKeepAlive' || name === 'setNoDelay') {
          throw h2Error('NO_SOCKET_MANIPULATION');
        }
        throw h2Error('NO_SOCKET_MANIPULATION');
      }
      const socket = current();
      if (socket === undefined) throw h2Error('SOCKET_UNBOUND');
      const value = socket[name];
      return typeof value === 'function' ? value.bind(socket) : value;
    },
    set(target, name, value) {
      if (name === 'setTimeout' || name === 'ref' || name === 'unref' || name === 'destroy') {
        session[name] = value;
        return true;
      }
      if (FORBIDDEN.has(name)) throw h2Error('NO_SOCKET_MANIPULATION');
      const socket = current();
      if (socket === undefined) throw h2Error('SOCKET_UNBOUND');
      socket[name] = value;
      return true;
    },
    getPrototypeOf() {
      const socket = current();
      if (socket === undefined) throw h2Error('SOCKET_UNBOUND');
      return Reflect.getPrototypeOf(socket);
    },
    setPrototypeOf(target, prototype) {
      const socket = current();
      if (socket === undefined) throw h2Error('SOCKET_UNBOUND');
      return Reflect.setPrototypeOf(socket, prototype);
    },
  });
}

module.exports = { socketOf, kSocketOf };
