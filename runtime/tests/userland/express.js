// Routes, middleware, a JSON body, static files, errors: an app and its client in one process.
'use strict';
const express = require('express');
const fs = require('node:fs');
const http = require('node:http');
const os = require('node:os');
const path = require('node:path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'express-'));
fs.writeFileSync(path.join(folder, 'hello.txt'), 'from a file\n');
fs.writeFileSync(path.join(folder, 'page.html'), '<p>page</p>\n');

const app = express();
app.use((req, res, next) => {
  res.setHeader('X-Seen', req.method);
  next();
});
app.use(express.json());
app.use(express.urlencoded({ extended: true }));
app.use('/files', express.static(folder));
app.get('/', (req, res) => res.send('home'));
app.get('/users/:id', (req, res) => res.json({ id: req.params.id, query: req.query }));
app.post('/echo', (req, res) => res.status(201).json({ got: req.body }));
app.get('/old', (req, res) => res.redirect('/'));
app.get('/boom', () => { throw new Error('thrown'); });
app.get('/later', async () => { throw new Error('rejected'); });
const router = express.Router();
router.get('/:name', (req, res) => res.type('text/plain').send(`router ${req.params.name}`));
app.use('/r', router);
app.use((error, req, res, next) => {
  res.status(error.status || 500).json({ error: error.message });
});

function ask(port, method, target, body, type) {
  return new Promise((resolve, reject) => {
    const req = http.request({ port, method, path: target,
      headers: body ? { 'content-type': type, 'content-length': Buffer.byteLength(body) } : {} });
    req.on('error', reject);
    req.on('response', (res) => {
      let text = '';
      res.setEncoding('utf8');
      res.on('data', (chunk) => { text += chunk; });
      res.on('end', () => resolve([res.statusCode, res.headers, text]));
    });
    req.end(body);
  });
}

const server = app.listen(0, async () => {
  const { port } = server.address();
  const json = 'application/json';
  const form = 'application/x-www-form-urlencoded';
  for (const [method, target, body, type] of [['GET', '/'], ['GET', '/users/7?a=1&b[]=2&b[]=3'],
    ['POST', '/echo', '{"a":[1,2,{"b":null}]}', json], ['POST', '/echo', '{broken', json],
    ['POST', '/echo', 'a=1&b[c]=2', form], ['GET', '/old'], ['GET', '/boom'], ['GET', '/later'],
    ['GET', '/r/x%20y'], ['GET', '/files/hello.txt'], ['GET', '/files/page.html'],
    ['GET', '/files/none'], ['GET', '/missing'], ['HEAD', '/'], ['DELETE', '/users/7']]) {
    const [status, headers, text] = await ask(port, method, target, body, type);
    for (const name of ['date', 'last-modified']) delete headers[name];
    if (target.startsWith('/files')) delete headers.etag;
    console.log(method, target, status, headers, JSON.stringify(text));
  }
  server.close(() => console.log('closed'));
  fs.rmSync(folder, { recursive: true });
});
