'use strict';
const tls = require('tls');
const keys = require('./keys');

// Each server with what a client says of it.
async function attempt(title, identity, options) {
  const server = tls.createServer(identity, (socket) => socket.on('error', () => {}).resume());
  server.on('tlsClientError', () => {});
  await new Promise((resolve) => { server.listen(0, resolve); });
  await new Promise((resolve) => {
    const socket = tls.connect({ port: server.address().port, servername: 'localhost',
      ...options });
    socket.on('secureConnect', () => {
      console.log(title, '- connected:', socket.authorized, socket.authorizationError);
      socket.end();
    });
    socket.on('error', ({ code, message, reason, host }) =>
      console.log(title, '-', code, message, reason, host));
    socket.on('close', resolve);
  });
  await new Promise((resolve) => { server.close(resolve); });
}

(async () => {
  const { ca, server, other, self, old } = keys;
  await attempt('right', server, { ca });
  await attempt('by address', server, { ca, host: '127.0.0.1', servername: undefined });
  await attempt('wildcard', server, { ca, servername: 'a.example.test' });
  await attempt('wildcard, two labels', server, { ca, servername: 'a.b.example.test' });
  await attempt('another name', other, { ca });
  await attempt('nobody known', server, {});
  await attempt('self-signed', self, {});
  await attempt('self-signed, known', self, { ca: self.cert, servername: 'self' });
  await attempt('expired', old, { ca });
  await attempt('not to be checked', self, { rejectUnauthorized: false });
  await attempt('a check of its own', other, { ca, checkServerIdentity: () => undefined });
  await attempt('a check that fails', server,
    { ca, checkServerIdentity: () => Object.assign(new Error('no'), { code: 'MINE' }) });
})();
