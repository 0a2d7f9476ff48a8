// axios and got against a local server.
'use strict';
const http = require('node:http');
const zlib = require('node:zlib');
const axios = require('axios');
const { default: got } = require('got');

const server = http.createServer((req, res) => {
  let body = '';
  req.on('data', (chunk) => { body += chunk; });
  req.on('end', () => {
    if (req.url === '/redirect') {
      res.writeHead(302, { location: '/json' }).end();
    } else if (req.url === '/gzip') {
      res.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'text/plain' });
      res.end(zlib.gzipSync('compressed text'));
    } else if (req.url === '/error') {
      res.writeHead(404, { 'content-type': 'text/plain' }).end('nothing here');
    } else {
      res.writeHead(200, { 'content-type': 'application/json' });
      res.end(JSON.stringify({ method: req.method, url: req.url, body }));
    }
  });
});

server.listen(0, async () => {
  const base = `http://127.0.0.1:${server.address().port}`;
  const show = (name, value) => console.log(name, JSON.stringify(value).replaceAll(base, 'BASE'));
  for (const [name, work] of Object.entries({
    'axios get': () => axios.get(`${base}/json`, { params: { a: 1 } }).then((r) => r.data),
    'axios post': () => axios.post(`${base}/json`, { x: [1] }).then((r) => r.data),
    'axios redirect': () => axios.get(`${base}/redirect`).then((r) => r.data),
    'axios gzip': () => axios.get(`${base}/gzip`).then((r) => r.data),
    'axios error': () => axios.get(`${base}/error`),
    'got json': () => got(`${base}/json`, { searchParams: { q: 'é' } }).json(),
    'got post': () => got.post(`${base}/json`, { json: { x: 1 } }).json(),
    'got redirect': () => got(`${base}/redirect`).json(),
    'got gzip': () => got(`${base}/gzip`).text(),
    'got error': () => got(`${base}/error`, { retry: { limit: 0 } }).text(),
  })) {
    try {
      show(name, await work());
    } catch (error) {
      show(name, [error.message, error.code, error.response?.status ?? error.response?.statusCode]);
    }
  }
  server.close();
});
