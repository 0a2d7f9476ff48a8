'use strict';
// Handshakes of TLS 1.3 a second, one after the other, both sides in one process.
const tls = require('tls');
const { ca, server: identity } = require('../../tests/js/tls/keys');

const TIME = 1000; // ms
const server = tls.createServer(identity, (socket) => socket.end());
const secureContext = tls.createSecureContext({ ca });
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address();
  const began = process.hrtime.bigint();
  let count = 0;
  const next = () => {
    const spent = Number(process.hrtime.bigint() - began) / 1e6;
    if (spent >= TIME) {
      console.log(Math.round(count * 1000 / spent));
      server.close();
      return;
    }
    const socket = tls.connect({ port, host: '127.0.0.1', secureContext, servername: 'localhost' },
      () => { count++; });
    socket.on('close', next).resume();
  };
  next();
});
