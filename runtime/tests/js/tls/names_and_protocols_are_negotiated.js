'use strict';
const tls = require('tls');
const { ca, server: identity, other } = require('./keys');

async function attempt(title, settings, options, prepare) {
  const server = tls.createServer({ ...identity, ...settings }, (socket) => {
    console.log(title, '- server:', socket.servername, socket.alpnProtocol);
    socket.end();
  });
  prepare?.(server);
  server.on('tlsClientError', ({ code }) => console.log(title, '- tlsClientError', code));
  await new Promise((resolve) => { server.listen(0, resolve); });
  await new Promise((resolve) => {
    const socket = tls.connect({ port: server.address().port, ca, ...options });
    socket.on('secureConnect', () => console.log(title, '- client:',
      socket.getPeerCertificate().subject.CN, socket.alpnProtocol));
    socket.on('error', ({ code }) => console.log(title, '- error', code));
    socket.on('close', resolve).resume();
  });
  await new Promise((resolve) => { server.close(resolve); });
}

(async () => {
  const localhost = { servername: 'localhost' };
  await attempt('added', {}, { servername: 'other.test' },
    (server) => server.addContext('other.test', other));
  await attempt('not added', {}, localhost, (server) => server.addContext('*.test', other));
  await attempt('asked', { SNICallback: (name, done) => setImmediate(done, null,
    tls.createSecureContext(name === 'other.test' ? other : identity)) },
  { servername: 'other.test' });
  await attempt('refused', { SNICallback: (name, done) =>
    done(Object.assign(new Error('no'), { code: 'MINE' })) }, localhost);
  await attempt('first of both', { ALPNProtocols: ['b', 'a'] },
    { ...localhost, ALPNProtocols: ['a', 'b', 'c'] });
  await attempt('none in common', { ALPNProtocols: ['b'] },
    { ...localhost, ALPNProtocols: ['a'] });
  await attempt('none offered', { ALPNProtocols: ['b'] }, localhost);
  await attempt('chosen', { ALPNCallback: ({ servername, protocols }) => {
    console.log(servername, protocols);
    return protocols[1];
  } }, { ...localhost, ALPNProtocols: ['x', 'y'] });
})();
