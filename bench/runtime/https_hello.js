'use strict';
// Requests over kept HTTPS connections a second, client and server in one process.
const https = require('https');
const { ca, server: identity } = require('../../runtime/tests/js/tls/keys');

const TIME = 1500; // ms
const CONNECTIONS = 10;
const server = https.createServer(identity, (request, response) => response.end('hello'));
server.listen(0, '127.0.0.1', () => {
  const agent = new https.Agent({ keepAlive: true, maxSockets: CONNECTIONS, ca });
  const { port } = server.address();
  const began = process.hrtime.bigint();
  let count = 0;
  let running = CONNECTIONS;
  const ask = () => {
    const spent = Number(process.hrtime.bigint() - began) / 1e6;
    if (spent >= TIME) {
      if (--running > 0) return;
      console.log(Math.round(count * 1000 / spent));
      agent.destroy();
      server.close();
      return;
    }
    https.get({ port, host: '127.0.0.1', agent }, (response) => {
      response.resume();
      response.on('end', () => {
        count++;
        ask();
      });
    });
  };
  for (let i = 0; i < CONNECTIONS; i++) ask();
});
