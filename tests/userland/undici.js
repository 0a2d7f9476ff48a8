'use strict';
const http = require('node:http');
const { request, fetch, Agent, setGlobalDispatcher } = require('undici');

const server = http.createServer((req, res) => {
  let body = '';
  req.on('data', (chunk) => { body += chunk; });
  req.on('end', () => {
    res.setHeader('content-type', 'application/json');
    res.end(JSON.stringify({ method: req.method, url: req.url, body }));
  });
});
server.listen(0, async () => {
  const base = `http://127.0.0.1:${server.address().port}`;
  const agent = new Agent();
  setGlobalDispatcher(agent);
  const { statusCode, body } = await request(`${base}/a`);
  console.log(statusCode, await body.json());
  const posted = await request(`${base}/b`, { method: 'POST', body: 'text' });
  console.log(await posted.body.text());
  const answer = await fetch(`${base}/c`, { method: 'POST', body: JSON.stringify({ x: 1 }),
    headers: { 'content-type': 'application/json' } });
  console.log(answer.status, answer.headers.get('content-type'), await answer.json());
  await agent.close();
  server.close();
});
