'use strict';
// A thousand requests, twenty at a time, with bodies that come back.
const http = require('http');

let served = 0;
const server = http.createServer((req, res) => {
  served++;
  if (req.method === 'GET') res.end(`answer ${req.url}`);
  else req.pipe(res);
});
const agent = new http.Agent({ keepAlive: true, maxSockets: 20 });
let started = 0;
let good = 0;
function one(port) {
  if (started === 1000) return;
  const id = started++;
  const post = id % 3 === 0;
  const body = `body ${id} `.repeat(id % 50 + 1);
  const method = post ? 'POST' : 'GET';
  const req = http.request({ port, agent, method, path: `/${id}` }, (res) => {
    let text = '';
    res.on('data', (piece) => { text += piece; });
    res.on('end', () => {
      if (text === (post ? body : `answer /${id}`)) good++;
      if (good === 1000) {
        console.log('good', good, 'served', served);
        agent.destroy();
        server.close(() => console.log('closed'));
      } else {
        one(port);
      }
    });
  });
  if (post) req.end(body);
  else req.end();
}
server.listen(0, () => {
  for (let i = 0; i < 20; i++) one(server.address().port);
});
