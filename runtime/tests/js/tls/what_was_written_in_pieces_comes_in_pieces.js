'use strict';
// Each write is a record of its own; the option onread puts what comes into the program's buffer.
const tls = require('tls');
const fs = require('fs');
const path = require('path');

const read = (name) => fs.readFileSync(path.join(__dirname, 'keys', name));
const key = read('server.key');
const cert = read('server.pem');

function pieces(next) {
  const server = tls.createServer({ key, cert }, (socket) => {
    socket.setNoDelay(true);
    for (const text of ['one', 'two', 'three']) socket.write(text);
    socket.end();
  }).listen(0, () => {
    const client = tls.connect({ port: server.address().port, rejectUnauthorized: false });
    client.pause();
    const found = [];
    client.on('data', (chunk) => found.push(`${chunk}`));
    client.on('end', () => {
      console.log(found);
      server.close(next);
    });
    client.on('secureConnect', () => setTimeout(() => client.resume(), 50));
  });
}

function into(next) {
  const server = tls.createServer({ key, cert }, (socket) => socket.end('hello world'))
    .listen(0, () => {
      const buffer = Buffer.alloc(8);
      let text = '';
      let isPaused = false;
      const client = tls.connect({ port: server.address().port, rejectUnauthorized: false,
        onread: { buffer, callback(count, given) {
          console.log(count, given === buffer, this === client);
          text += given.subarray(0, count);
          if (isPaused) return true;
          isPaused = true;
          setTimeout(() => client.resume(), 20);
          return false;
        } } });
      client.on('data', () => console.log('never'));
      client.on('end', () => {
        console.log(text, client.bytesRead);
        server.close(next);
      });
    });
}

function settings() {
  for (const options of [{ ciphers: 'AES256-SHA' }, { ciphers: 'TLS_AES_256_GCM_SHA384' }, {}]) {
    const { context } = tls.createSecureContext(options);
    console.log(context.getMinProto(), context.getMaxProto());
  }
}

pieces(() => into(settings));
