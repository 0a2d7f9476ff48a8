'use strict';
const https = require('https');
const { ca, server: identity } = require('./keys');

const server = https.createServer(identity, (req, res) => {
  const chunks = [];
  req.on('data', (chunk) => chunks.push(chunk));
  req.on('end', () => res.end(`${req.method} ${req.url} ${Buffer.concat(chunks).length}`));
});

function ask(options, body) {
  return new Promise((resolve) => {
    const req = https.request({ port: server.address().port, ca, ...options }, (res) => {
      let text = '';
      res.setEncoding('utf8').on('data', (piece) => { text += piece; });
      res.on('end', () => resolve(`${res.statusCode} ${text} ${req.reusedSocket}`));
    });
    req.on('error', (error) => resolve(`${error.code} ${error.message}`));
    req.end(body);
  });
}

server.listen(0, async () => {
  const { port } = server.address();
  const agent = new https.Agent({ keepAlive: true, ca });
  console.log(await ask({ path: '/a', agent }));
  console.log(await ask({ path: '/b', agent, method: 'POST' }, Buffer.alloc(200000)));
  console.log(Object.keys(agent.freeSockets)
    .map((name) => name.replace(port, 'PORT').slice(0, 16)));
  agent.destroy();
  console.log(await ask({ ca: undefined, agent: false }));
  console.log(await ask({ host: '127.0.0.1', agent: false }));
  console.log(await ask({ servername: 'nobody.test', agent: false }));
  console.log(await ask({ headers: { host: 'b.example.test' }, agent: false }));
  await fetch(`https://localhost:${port}/`).catch(({ message, cause }) =>
    console.log(message, cause.code));
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  process.removeAllListeners('warning');
  const answer = await fetch(`https://localhost:${port}/f`, { method: 'POST', body: 'abc' });
  console.log(answer.status, await answer.text());
  server.close(() => console.log('closed'));
  server.closeAllConnections();
});
