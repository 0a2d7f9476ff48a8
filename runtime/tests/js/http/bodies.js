'use strict';
// Bodies of every framing, both ways, with trailers; answers that have none.
const http = require('http');
const net = require('net');

const routes = {
  '/length': (req, res) => {
    res.setHeader('Content-Length', 6);
    res.write('abc');
    res.end('def');
  },
  '/chunked': (req, res) => {
    res.write('abc');
    setTimeout(() => res.end(Buffer.from('def')), 5);
  },
  '/trailers': (req, res) => {
    res.setHeader('Trailer', 'X-Sum');
    res.write('body');
    res.addTrailers({ 'X-Sum': '42' });
    res.end();
  },
  '/204': (req, res) => { res.writeHead(204); res.end(); },
  '/304': (req, res) => { res.writeHead(304); res.end('ignored'); },
  '/head': (req, res) => { res.setHeader('Content-Length', 100); res.end(); },
  '/empty': (req, res) => res.end(),
  '/buffer': (req, res) => res.end(Buffer.from('buffer')),
  '/latin1': (req, res) => res.end('caf\u00e9', 'latin1'),
  '/utf8': (req, res) => res.end('caf\u00e9 \u20ac'),
  '/hex': (req, res) => res.end('616263', 'hex'),
  '/flush': (req, res) => { res.flushHeaders(); setTimeout(() => res.end('late'), 5); },
  '/noremove': (req, res) => {
    res.removeHeader('Date');
    res.removeHeader('connection');
    res.end('x');
  },
  '/nolength': (req, res) => { res.removeHeader('content-length'); res.end('x'); },
  '/note': (req, res) => { res.removeHeader('transfer-encoding'); res.write('x'); res.end('y'); },
  '/array': (req, res) => { res.writeHead(200, ['A', '1', 'B', '2']); res.end(); },
  '/pairs': (req, res) => { res.writeHead(200, [['A', '1'], ['A', '2']]); res.end(); },
  '/close': (req, res) => { res.setHeader('Connection', 'close'); res.end('x'); },
  '/ka': (req, res) => { res.shouldKeepAlive = false; res.end('x'); },
};
const server = http.createServer((req, res) => {
  const pieces = [];
  req.on('data', (piece) => pieces.push(piece));
  req.on('end', () => {
    if (pieces.length > 0 || req.rawTrailers.length) {
      console.log('server got', Buffer.concat(pieces).toString(), req.trailers, req.rawTrailers);
    }
    (routes[req.url] || ((_, r) => r.end(`echo ${req.method}`)))(req, res);
  });
});

function raw(method, path, version = '1.1') {
  return new Promise((resolve) => {
    const socket = net.connect(server.address().port, () =>
      socket.write(`${method} ${path} HTTP/${version}\r\nHost: a\r\nConnection: close\r\n\r\n`));
    let text = '';
    socket.setEncoding('latin1');
    socket.on('data', (piece) => { text += piece; });
    socket.on('end', () => {
      console.log(method, path, version, JSON.stringify(text.replace(/Date: [^\r]*/, 'Date: *')));
      resolve();
    });
  });
}

function client(method, path, headers, ...parts) {
  return new Promise((resolve) => {
    const req = http.request({ port: server.address().port, method, path, headers }, (res) => {
      let text = '';
      res.on('data', (piece) => { text += piece; });
      res.on('end', () => {
        console.log(method, path, res.statusCode, text, res.trailers, res.rawTrailers,
          res.headers['transfer-encoding'], res.headers['content-length']);
        resolve();
      });
    });
    for (const part of parts.slice(0, -1)) req.write(part);
    req.end(...parts.slice(-1));
  });
}

server.listen(0, async () => {
  for (const path of Object.keys(routes)) await raw(path === '/head' ? 'HEAD' : 'GET', path);
  await raw('GET', '/chunked', '1.0');
  await raw('GET', '/empty', '1.0');
  await raw('HEAD', '/chunked');
  for (const path of Object.keys(routes)) await client(path === '/head' ? 'HEAD' : 'GET', path);
  await client('POST', '/', {}, 'one');
  await client('POST', '/', {}, 'one', 'two');
  await client('POST', '/', { 'Content-Length': 6 }, 'one', 'two');
  await client('PUT', '/', { 'Transfer-Encoding': 'chunked' }, 'one');
  await client('POST', '/', {});
  await client('DELETE', '/', {});
  await client('GET', '/', { 'Content-Length': 3 }, 'get');
  server.close();
});
