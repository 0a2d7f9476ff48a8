'use strict';
const http2 = require('http2');
const { ca, server: identity } = require('../tls/keys');

function ask(client, headers, body) {
  return new Promise((resolve, reject) => {
    const req = client.request(headers);
    let text = '';
    let answer;
    req.on('response', (got) => { answer = got; });
    req.setEncoding('utf8').on('data', (piece) => { text += piece; });
    req.on('end', () => resolve([answer[':status'], answer['x-count'], text]));
    req.on('error', reject);
    req.end(body);
  });
}

async function run(title, server, scheme, options) {
  let count = 0;
  server.on('request', (req, res) => {
    let size = 0;
    req.on('data', (chunk) => { size += chunk.length; });
    req.on('end', () => {
      res.setHeader('x-count', ++count);
      res.statusCode = req.url === '/none' ? 404 : 200;
      res.end(`${req.method} ${req.url} ${req.httpVersion} ${size} ${req.headers['x-a']}`);
    });
  });
  await new Promise((resolve) => { server.listen(0, resolve); });
  const client = http2.connect(`${scheme}://localhost:${server.address().port}`, options);
  await new Promise((resolve) => { client.on('connect', resolve); });
  console.log(title, client.alpnProtocol, client.encrypted);
  console.log(await ask(client, { ':path': '/a', 'x-a': ['1', '2'] }));
  console.log(await ask(client, { ':path': '/none' }));
  console.log(await ask(client, { ':method': 'POST', ':path': '/p' }, Buffer.alloc(300000)));
  const many = await Promise.all(Array.from({ length: 50 }, (_, i) =>
    ask(client, { ':path': `/${i}` })));
  console.log(many.length, many[49][0], many[49][2]);
  await new Promise((resolve) => { client.close(resolve); });
  await new Promise((resolve) => { server.close(resolve); });
}

(async () => {
  await run('plain', http2.createServer(), 'http', {});
  await run('secure', http2.createSecureServer(identity), 'https', { ca });
})();
