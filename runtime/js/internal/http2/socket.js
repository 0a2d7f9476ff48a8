'use strict';
// What programs get as the socket of a session: they may look, but not read, write or end.

const { h2Error } = require('internal/http2/errors');

const FORBIDDEN = new Set(['destroy', 'emit', 'end', 'pause', 'read', 'resume', 'write',
  'setEncoding', 'setKeepAlive', 'setNoDelay']);
const OF_SESSION = new Set(['setTimeout', 'ref', 'unref']);

function socketOf(session) {
  const { kSocket } = require('internal/http2/session');
  // A session that has ended has none.
  const current = () => {
    const socket = session[kSocket];
    if (socket === undefined || session.destroyed) throw h2Error('SOCKET_UNBOUND');
    return socket;
  };
  return new Proxy(session, {
    has(target, name) {
      return (session[kSocket] !== undefined && name in session[kSocket]) || name in target;
    },
    get(target, name) {
      if (OF_SESSION.has(name)) return session[name].bind(session);
      if (FORBIDDEN.has(name)) throw h2Error('NO_SOCKET_MANIPULATION');
      const socket = current();
      const value = socket[name];
      return typeof value === 'function' ? value.bind(socket) : value;
    },
    set(target, name, value) {
      if (FORBIDDEN.has(name)) throw h2Error('NO_SOCKET_MANIPULATION');
      (OF_SESSION.has(name) ? session : current())[name] = value;
      return true;
    },
    getPrototypeOf() {
      return Reflect.getPrototypeOf(current());
    },
    setPrototypeOf(target, prototype) {
      return Reflect.setPrototypeOf(current(), prototype);
    },
  });
}

module.exports = { socketOf };
