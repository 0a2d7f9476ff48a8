'use strict';
// tls_handshakes.js [resumed]: handshakes of TLS 1.3 a second, one after the other, both sides in
// one process; each with the session of the one before, if they are resumed.
const tls = require('tls');
const { ca, server: identity } = require('../../runtime/tests/js/tls/keys');

const TIME = 1000; // ms
const isResumed = process.argv[2] === 'resumed';
const server = tls.createServer(identity, (socket) => socket.end());
const secureContext = tls.createSecureContext({ ca });
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address();
  const began = process.hrtime.bigint();
  let count = 0;
  let session;
  const next = () => {
    const spent = Number(process.hrtime.bigint() - began) / 1e6;
    if (spent >= TIME) {
      console.log(Math.round(count * 1000 / spent));
      server.close();
      return;
    }
    const socket = tls.connect({ port, host: '127.0.0.1', secureContext, servername: 'localhost',
      session }, () => {
      count++;
      if (session !== undefined && !socket.isSessionReused()) throw new Error('not resumed');
    });
    if (isResumed) socket.on('session', (given) => { session = given; });
    socket.on('close', next).resume();
  };
  next();
});
