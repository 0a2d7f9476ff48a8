'use strict';
// createSecurePair: both sides of a TLS connection as streams. Deprecated, kept for old programs.

const EventEmitter = require('events');
const { Duplex } = require('stream');
const { TLSSocket } = require('internal/tls/socket');

// Two streams: what is written to one is read from the other.
function pairOfStreams() {
  const ends = [0, 1].map((which) => new Duplex({
    read() {
      const { callback } = this;
      this.callback = null;
      if (callback) callback();
    },
    write(chunk, encoding, callback) {
      const other = ends[1 - which];
      if (chunk.length === 0) {
        process.nextTick(callback);
      } else {
        other.push(chunk);
        other.callback = callback;
      }
    },
    final(callback) {
      const other = ends[1 - which];
      other.on('end', callback);
      other.push(null);
    },
  }));
  return ends;
}

class SecurePair extends EventEmitter {
  constructor(secureContext, isServer = false, requestCert = !isServer,
              rejectUnauthorized = false, options = {}) {
    super();
    const [near, far] = pairOfStreams();
    this.credentials = secureContext;
    this.encrypted = far;
    this.cleartext = new TLSSocket(near, { secureContext, isServer, requestCert,
      rejectUnauthorized, ...options });
    this.cleartext.once('secure', () => this.emit('secure'));
    if (!isServer) this.cleartext._start();
  }

  destroy() {
    this.cleartext.destroy();
    this.encrypted.destroy();
  }
}

function createSecurePair(...args) {
  return new SecurePair(...args);
}

module.exports = { createSecurePair: require('util').deprecate(createSecurePair,
  'tls.createSecurePair() is deprecated. Please use tls.TLSSocket instead.', 'DEP0064') };
