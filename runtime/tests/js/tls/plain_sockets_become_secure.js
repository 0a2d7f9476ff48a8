'use strict';
// STARTTLS: a line in the clear, then TLS on the same connection; and TLS over any stream.
const net = require('net');
const tls = require('tls');
const { Duplex } = require('stream');
const { ca, server: identity } = require('./keys');

function starttls() {
  return new Promise((resolve) => {
    const server = net.createServer((plain) => {
      plain.once('data', (line) => {
        console.log('server, plain:', line.toString());
        plain.write('GO');
        const secure = new tls.TLSSocket(plain, { isServer: true,
          secureContext: tls.createSecureContext(identity) });
        secure.on('data', (chunk) => {
          console.log('server, secure:', chunk.toString());
          secure.end('bye');
        });
      });
    });
    server.listen(0, () => {
      const plain = net.connect(server.address().port, () => plain.write('STARTTLS'));
      plain.once('data', (line) => {
        console.log('client, plain:', line.toString());
        const secure = tls.connect({ socket: plain, ca, servername: 'localhost' }, () => {
          console.log('secure', secure.authorized, secure.remotePort === server.address().port);
          secure.write('secret');
        });
        secure.on('data', (chunk) => console.log('client, secure:', chunk.toString()));
        secure.on('close', () => {
          console.log('closed', plain.destroyed);
          server.close(resolve);
        });
      });
    });
  });
}

function pair() {
  const ends = [0, 1].map((which) => new Duplex({
    read() {},
    write(chunk, encoding, done) {
      ends[1 - which].push(chunk);
      setImmediate(done);
    },
    final(done) {
      ends[1 - which].push(null);
      done();
    },
  }));
  return ends;
}

(async () => {
  await starttls();
  const [near, far] = pair();
  const server = new tls.TLSSocket(far, { isServer: true,
    secureContext: tls.createSecureContext(identity) });
  server.on('data', (chunk) => server.end(chunk.toString().toUpperCase()));
  const client = tls.connect({ socket: near, ca, servername: 'localhost' });
  client.on('secureConnect', () => console.log('over a stream', client.authorized));
  let size = 0;
  client.write('x'.repeat(10));
  client.on('data', (chunk) => { size += chunk.length; });
  client.on('end', () => console.log('got', size));
})();
