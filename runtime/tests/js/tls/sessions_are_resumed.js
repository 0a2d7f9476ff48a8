'use strict';
const tls = require('tls');
const { ca, server: identity } = require('./keys');

function once(port, version, session) {
  return new Promise((resolve) => {
    let latest;
    const socket = tls.connect({ port, ca, servername: 'localhost', session, maxVersion: version });
    socket.on('session', (bytes) => { latest = bytes; });
    socket.on('secureConnect', () => console.log(version, 'reused:', socket.isSessionReused(),
      socket.authorized));
    socket.on('close', () => resolve(latest ?? session)).resume();
  });
}

(async () => {
  for (const version of ['TLSv1.2', 'TLSv1.3']) {
    const server = tls.createServer(identity, (socket) => socket.end('x'));
    await new Promise((resolve) => { server.listen(0, resolve); });
    const { port } = server.address();
    const session = await once(port, version);
    await once(port, version, session);
    // Other keys: what was given out before is not understood any more.
    server.setTicketKeys(Buffer.alloc(48, 7));
    await once(port, version, session);
    await new Promise((resolve) => { server.close(resolve); });
  }
  const store = new Map();
  const server = tls.createServer({ ...identity, secureOptions: 0x4000, maxVersion: 'TLSv1.2' },
    (socket) => socket.end('x'));
  server.on('newSession', (id, data, done) => {
    store.set(id.toString('hex'), data);
    setImmediate(done);
  });
  server.on('resumeSession', (id, done) => {
    console.log('resumeSession', store.has(id.toString('hex')));
    setImmediate(done, null, store.get(id.toString('hex')) || null);
  });
  await new Promise((resolve) => { server.listen(0, resolve); });
  const session = await once(server.address().port, 'TLSv1.2');
  await once(server.address().port, 'TLSv1.2', session);
  await new Promise((resolve) => { server.close(resolve); });
})();
