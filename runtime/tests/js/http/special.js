'use strict';
// 100-continue, expectations, upgrade, CONNECT, early hints, arguments.
const http = require('http');
const net = require('net');

const server = http.createServer((req, res) => {
  console.log('request', req.method, req.url, req.headers.expect);
  let body = '';
  req.on('data', (piece) => { body += piece; });
  req.on('end', () => res.end(`got ${body}`));
});
const done = (res, then) => {
  let text = '';
  res.on('data', (piece) => { text += piece; });
  res.on('end', () => {
    console.log(res.statusCode, text);
    then();
  });
};
let port;
function expectContinue() {
  const req = http.request({ port, method: 'POST', headers: { Expect: '100-continue' } }, (res) =>
    done(res, checkContinue));
  req.on('continue', () => {
    console.log('continue');
    req.end('body');
  });
  req.on('information', (info) => console.log('information', info.statusCode, info.statusMessage,
    info.httpVersion, info.headers, info.rawHeaders));
}
function checkContinue() {
  server.once('checkContinue', (req, res) => {
    console.log('checkContinue', req.url);
    res.writeHead(413);
    res.end('no');
  });
  const req = http.request({ port, method: 'POST', path: '/big',
    headers: { Expect: '100-continue' } }, (res) => {
    req.end();
    done(res, expectOther);
  });
}
function expectOther() {
  http.get({ port, headers: { Expect: 'magic' } }, (res) => done(res, earlyHints));
}
function earlyHints() {
  server.prependOnceListener('request', (req, res) => {
    res.writeEarlyHints({ link: '</a.css>; rel=preload' });
    res.writeProcessing();
  });
  const req = http.get({ port, path: '/hints' }, (res) => done(res, upgrade));
  req.on('information', (info) => console.log('information', info.statusCode, info.headers));
}
function upgrade() {
  server.once('upgrade', (req, socket, head) => {
    console.log('upgrade', req.headers.upgrade, String(head), req.upgrade);
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n' +
      'Upgrade: echo\r\n\r\nhi');
    socket.on('data', (piece) => socket.end(`echo ${piece}`));
  });
  const req = http.get({ port, headers: { Connection: 'Upgrade', Upgrade: 'echo' } });
  req.on('upgrade', (res, socket, head) => {
    console.log('upgraded', res.statusCode, res.headers.upgrade, String(head));
    socket.write('ping');
    socket.on('data', (piece) => console.log(String(piece)));
    socket.on('close', connect);
  });
  req.on('close', () => console.log('close'));
}
function connect() {
  server.once('connect', (req, socket, head) => {
    console.log('connect', req.url, head.length);
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    socket.on('data', (piece) => socket.end(`tunnel ${piece}`));
  });
  const req = http.request({ port, method: 'CONNECT', path: 'a.b:443' });
  req.end();
  req.on('connect', (res, socket, head) => {
    console.log('connected', res.statusCode, head.length);
    socket.write('x');
    socket.on('data', (piece) => console.log(String(piece)));
    socket.on('end', () => connectRefused());
  });
}
function connectRefused() {
  const req = http.request({ port, method: 'CONNECT', path: 'a.b:443' });
  req.end();
  req.on('error', (error) => {
    console.log(error.code, error.message);
    urls();
  });
}
function urls() {
  http.get(new URL(`http://user:pa%20ss@localhost:${port}/u?x=1`), { headers: { A: 'b' } }, (res) =>
    done(res, () => {
      http.request(`http://localhost:${port}/s`, { method: 'put', setHost: true }, (again) =>
        done(again, last)).end('put');
    }));
  server.prependOnceListener('request', (req) =>
    console.log(req.headers.authorization, req.headers.a));
}
function last() {
  server.close(() => console.log('closed'));
}
function attempt(name, run) {
  try {
    run();
    console.log(name, 'fine');
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
}
attempt('method', () => http.request({ method: 'a b' }));
attempt('method type', () => http.request({ method: 5 }));
attempt('path', () => http.request({ path: '/a b' }));
attempt('protocol', () => http.request('https://a/'));
attempt('url', () => http.request('nothing'));
attempt('host', () => http.request({ host: 5 }));
attempt('agent', () => http.request({ agent: 5 }));
attempt('port', () => http.request({ port: 99999 }));
console.log(http.METHODS.length, http.METHODS.includes('GET'), http.STATUS_CODES[404],
  Object.keys(http.STATUS_CODES).length, http.maxHeaderSize);
console.log(Object.keys(http).sort().join());
console.log(http.Server() instanceof http.Server, http.Agent() instanceof http.Agent,
  http.Server() instanceof net.Server);
server.listen(0, () => {
  ({ port } = server.address());
  expectContinue();
});
