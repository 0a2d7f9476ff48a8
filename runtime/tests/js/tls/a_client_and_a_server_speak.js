'use strict';
const tls = require('tls');
const { ca, server: identity } = require('./keys');

const server = tls.createServer(identity, (socket) => {
  console.log('server:', socket.authorized, socket.servername, socket.alpnProtocol);
  socket.on('data', (chunk) => {
    console.log('server got', chunk.toString());
    socket.end(`you said ${chunk}`);
  });
});
server.listen(0, () => {
  const options = { port: server.address().port, ca, servername: 'localhost', ecdhCurve: 'X25519' };
  const socket = tls.connect(options, () => {
    const { subject, subjectaltname, serialNumber } = socket.getPeerCertificate();
    console.log('client:', socket.authorized, socket.getProtocol(), socket.getCipher().name);
    console.log(subject.CN, subjectaltname, serialNumber);
    console.log(socket.encrypted, socket.isSessionReused(), socket.getEphemeralKeyInfo());
    socket.write('hello');
  });
  socket.on('data', (chunk) => console.log('client got', chunk.toString()));
  socket.on('end', () => console.log('end'));
  socket.on('close', (hadError) => {
    console.log('close', hadError, socket.getPeerCertificate());
    server.close(() => console.log('server closed'));
  });
});
