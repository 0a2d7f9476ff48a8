'use strict';
const http2 = require('http2');
const https = require('https');
const tls = require('tls');
const { ca, server: identity } = require('../tls/keys');

const server = http2.createSecureServer({ ...identity, allowHTTP1: true }, (req, res) => {
  res.end(`${req.httpVersion} ${req.url} ${req.socket.alpnProtocol ?? req.stream.session
    .alpnProtocol}`);
});

const strict = http2.createSecureServer(identity);

server.listen(0, () => {
  const { port } = server.address();
  https.get({ port, path: '/one', ca, agent: false }, (res) => {
    res.setEncoding('utf8').on('data', console.log).on('end', () => {
      const client = http2.connect(`https://localhost:${port}`, { ca });
      const req = client.request({ ':path': '/two' });
      req.setEncoding('utf8').on('data', console.log).on('end', () => {
        client.close();
        server.close();
        refused();
      });
    });
  });
});

function refused() {
  strict.listen(0, () => {
    const socket = tls.connect({ port: strict.address().port, ca, servername: 'localhost' });
    let text = '';
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    socket.setEncoding('utf8').on('data', (piece) => { text += piece; });
    socket.on('end', () => {
      console.log(text.split('\r\n')[0], socket.alpnProtocol);
      strict.close();
    });
  });
}
