'use strict';
// Requests over one HTTP/2 connection with TLS a second, client and server in one process.
const http2 = require('http2');
const { ca, server: identity } = require('../../runtime/tests/js/tls/keys');

const TIME = 1500; // ms
const STREAMS = 50; // at a time
const server = http2.createSecureServer(identity, (request, response) => response.end('hello'));
server.listen(0, '127.0.0.1', () => {
  const session = http2.connect(`https://localhost:${server.address().port}`, { ca });
  const began = process.hrtime.bigint();
  let count = 0;
  let running = STREAMS;
  const ask = () => {
    const spent = Number(process.hrtime.bigint() - began) / 1e6;
    if (spent >= TIME) {
      if (--running > 0) return;
      console.log(Math.round(count * 1000 / spent));
      session.close();
      server.close();
      return;
    }
    const request = session.request({ ':path': '/' });
    request.resume();
    request.on('end', () => {
      count++;
      ask();
    });
  };
  for (let i = 0; i < STREAMS; i++) ask();
});
