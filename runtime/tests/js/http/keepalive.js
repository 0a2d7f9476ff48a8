'use strict';
// Connections that are kept, shared, limited and closed.
const http = require('http');

let connections = 0;
const server = http.createServer((req, res) => {
  req.resume();
  res.end(`${req.url}`);
});
server.on('connection', () => { connections++; });

function get(agent, path, more) {
  return new Promise((resolve, reject) => {
    const req = http.get({ port: server.address().port, agent, path, ...more }, (res) => {
      let text = '';
      res.on('data', (piece) => { text += piece; });
      res.on('end', () => resolve([text, req.reusedSocket, res.headers.connection]));
    });
    req.on('error', reject);
  });
}
const pause = () => new Promise((resolve) => { setTimeout(resolve, 20); });
const count = (lists) => Object.values(lists).map((list) => list.length);

server.listen(0, async () => {
  const keeping = new http.Agent({ keepAlive: true });
  for (let i = 0; i < 5; i++) {
    console.log(await get(keeping, `/${i}`));
    await pause();
  }
  console.log('connections', connections, count(keeping.sockets), count(keeping.freeSockets));
  connections = 0;
  console.log(await Promise.all([1, 2, 3].map((i) => get(keeping, `/${i}`))));
  await pause();
  console.log('connections', connections, count(keeping.sockets), count(keeping.freeSockets));
  keeping.destroy();
  await pause();
  console.log('destroyed', count(keeping.sockets), count(keeping.freeSockets));

  connections = 0;
  const plain = new http.Agent();
  for (let i = 0; i < 3; i++) console.log(await get(plain, `/${i}`));
  console.log('connections', connections);

  connections = 0;
  const limited = new http.Agent({ keepAlive: true, maxSockets: 2 });
  const all = Promise.all([1, 2, 3, 4, 5, 6].map((i) => get(limited, `/${i}`)));
  console.log('limited', count(limited.sockets), count(limited.requests));
  console.log((await all).map(([text]) => text));
  await pause();
  console.log('connections', connections, count(limited.sockets), count(limited.freeSockets));
  limited.destroy();

  connections = 0;
  console.log(await get(false, '/none'));
  console.log(await get(undefined, '/global'));
  await pause();
  console.log(await get(undefined, '/global'));
  console.log('connections', connections);
  console.log(keeping.getName({ host: 'a', port: 1 }),
    keeping.getName({ host: 'a', port: 1, localAddress: 'b', family: 6 }),
    keeping.getName({ socketPath: '/x' }));

  server.maxRequestsPerSocket = 2;
  const two = new http.Agent({ keepAlive: true });
  connections = 0;
  for (let i = 0; i < 4; i++) {
    console.log(await get(two, `/${i}`));
    await pause();
  }
  console.log('connections', connections);
  two.destroy();
  server.close(() => console.log('closed'));
});
