// socket.io, supertest, multer, express-session, compression, helmet, cors, hapi, http-proxy
'use strict';
const http = require('node:http');
const express = require('express');
const multer = require('multer');
const supertest = require('supertest');
const { Server } = require('socket.io');
const { io } = require('socket.io-client');

const listening = (server) => new Promise((resolve) => server.listen(0, resolve));

async function sockets() {
  const server = http.createServer();
  const all = new Server(server);
  all.on('connection', (socket) => socket.on('add', (n, answer) => answer(n + 1)));
  await listening(server);
  const client = io(`http://127.0.0.1:${server.address().port}`);
  console.log('socket.io', await client.timeout(5000).emitWithAck('add', 1));
  client.close();
  all.close();
}

async function proxied() {
  const back = http.createServer((req, res) => res.end(`back ${req.url}`));
  await listening(back);
  const proxy = require('http-proxy').createProxyServer(
    { target: `http://127.0.0.1:${back.address().port}` });
  const front = http.createServer((req, res) => proxy.web(req, res));
  console.log('http-proxy', (await supertest(front).get('/via')).text);
  back.close();
}

async function main() {
  const app = express();
  app.use(require('express-session')({ secret: 's', resave: false, saveUninitialized: true }));
  app.use(require('compression')({ threshold: 0 }), require('helmet')(), require('cors')());
  app.get('/', (req, res) => {
    req.session.count = (req.session.count || 0) + 1;
    res.send(`count ${req.session.count}`);
  });
  app.post('/upload', multer({ storage: multer.memoryStorage() }).single('file'),
    (req, res) => res.json({ name: req.file.originalname, size: req.file.size, body: req.body }));
  const agent = supertest.agent(app);
  const first = await agent.get('/');
  console.log(first.text, first.headers['content-encoding'],
    first.headers['access-control-allow-origin'], first.headers['x-frame-options']);
  console.log((await agent.get('/')).text);
  console.log((await supertest(app).post('/upload').field('key', 'value')
    .attach('file', Buffer.from('12345'), 'n.txt')).body);
  const hapi = require('@hapi/hapi').server({ port: 0 });
  hapi.route({ method: 'GET', path: '/{n}', handler: (req) => ({ n: req.params.n }) });
  console.log('hapi', (await hapi.inject('/z')).payload);
  await proxied();
  await sockets();
}
main();
