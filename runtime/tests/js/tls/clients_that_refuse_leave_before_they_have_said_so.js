'use strict';
// A client that does not believe the server: the server hears of it as Node's does. TLS in TLS: the
// outer socket's listeners hear nothing of what is for the inner one. `hints` are the lookup's.

const fs = require('fs');
const net = require('net');
const path = require('path');
const tls = require('tls');

const read = (name) => fs.readFileSync(path.join(__dirname, 'keys', name));
const key = read('server.key');
const cert = read('server.pem');

function refuse(maxVersion, done) {
  const server = tls.createServer({ key, cert, maxVersion });
  server.on('secureConnection', (socket) => {
    console.log(maxVersion, 'server has a connection');
    socket.on('error', () => {}).resume();
  });
  server.on('tlsClientError', (error) => console.log(maxVersion, error.code, error.message));
  server.listen(0, () => {
    const client = tls.connect({ port: server.address().port, servername: 'other.org' });
    client.on('error', (error) => console.log(maxVersion, 'client', error.code));
    client.on('close', () => setTimeout(() => server.close(done), 100));
  });
}

function nest(done) {
  const inner = tls.createServer({ key, cert }, (socket) => {
    socket.on('data', (chunk) => socket.end(`inner ${chunk}`));
  });
  const outer = tls.createServer({ key, cert }, (socket) => {
    socket.on('data', (chunk) => {
      console.log('outer hears', `${chunk}`);
      inner.emit('connection', socket);
      socket.write('go');
    });
    socket.on('error', () => {});
  });
  outer.listen(0, () => {
    const below = tls.connect({ port: outer.address().port, rejectUnauthorized: false });
    below.write('head');
    below.once('data', (chunk) => {
      console.log(`${chunk}`);
      below.on('data', () => console.log('never'));
      const above = tls.connect({ socket: below, rejectUnauthorized: false });
      above.write('words');
      above.on('data', (bytes) => console.log(`${bytes}`));
      above.on('end', () => console.log('ends'));
      above.on('close', () => outer.close(done));
    });
  });
}

function hint() {
  const lookup = (host, options) => console.log(host, options);
  net.connect({ port: 1, lookup, hints: 512 });
  tls.connect({ port: 1, lookup, hints: 512, family: 4 });
  try {
    net.connect({ port: 1, hints: 512 });
  } catch (error) {
    console.log(error.code, error.message);
  }
}

refuse('TLSv1.2', () => refuse('TLSv1.3', () => nest(hint)));
