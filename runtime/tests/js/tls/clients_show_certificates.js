'use strict';
const tls = require('tls');
const { ca, server: identity, client, self } = require('./keys');

async function attempt(title, settings, options) {
  const server = tls.createServer({ ...identity, ca, requestCert: true, ...settings }, (socket) => {
    console.log(title, '- server:', socket.authorized, socket.authorizationError,
      socket.getPeerCertificate().subject?.CN);
    socket.end('x');
  });
  server.on('tlsClientError', (error) => console.log(title, '- tlsClientError', error.code));
  await new Promise((resolve) => { server.listen(0, resolve); });
  const socket = tls.connect({ port: server.address().port, servername: 'localhost', ca,
    maxVersion: 'TLSv1.2', ...options });
  await new Promise((resolve) => {
    socket.on('secureConnect', () => console.log(title, '- connected'));
    // Newer versions of OpenSSL have another name for the alert.
    socket.on('error', ({ code }) =>
      console.log(title, '- client:', code.replace('SSL/TLS_ALERT', 'SSLV3_ALERT')));
    socket.on('close', resolve).resume();
  });
  await new Promise((resolve) => { server.close(resolve); });
}

(async () => {
  await attempt('known', {}, client);
  await attempt('none', {}, {});
  await attempt('none, not needed', { rejectUnauthorized: false }, {});
  await attempt('unknown, not needed', { rejectUnauthorized: false }, self);
})();
