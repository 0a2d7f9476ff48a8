'use strict';
// Headers in both directions: raw, lower-cased, joined, checked.
const http = require('http');
const net = require('net');

function attempt(name, run) {
  try {
    console.log(name, run());
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
}

const out = new http.OutgoingMessage();
attempt('set', () => out.setHeader('X-One', 'a') === out);
attempt('get', () => [out.getHeader('x-one'), out.getHeader('X-ONE'), out.getHeader('nothing')]);
attempt('has', () => [out.hasHeader('x-one'), out.hasHeader('x-two')]);
attempt('append', () => out.appendHeader('x-one', 'b').getHeader('x-one'));
attempt('append new', () => out.appendHeader('X-Two', ['c', 'd']).getHeader('x-two'));
attempt('names', () => [out.getHeaderNames(), out.getRawHeaderNames()]);
attempt('all', () => out.getHeaders());
attempt('remove', () => [out.removeHeader('X-One'), out.getHeaderNames()]);
attempt('number', () => out.setHeader('x-n', 5).getHeader('x-n'));
attempt('map', () =>
  out.setHeaders(new Map([['a', '1'], ['set-cookie', ['x', 'y']]])).getHeaders());
attempt('bad name', () => out.setHeader('a b', 'x'));
attempt('empty name', () => out.setHeader('', 'x'));
attempt('no value', () => out.setHeader('a', undefined));
attempt('bad value', () => out.setHeader('a', 'x\ny'));
attempt('wide value', () => out.setHeader('a', 'x\u0100y'));
attempt('get number', () => out.getHeader(5));
attempt('validateHeaderName', () => http.validateHeaderName('x y'));
attempt('validateHeaderValue', () => http.validateHeaderValue('x', undefined));
attempt('trailers', () => out.addTrailers({ 'a b': 1 }));

const server = http.createServer((req, res) => {
  console.log(req.rawHeaders);
  console.log(req.headers);
  console.log(req.headersDistinct);
  res.setHeader('Set-Cookie', ['a=1', 'b=2']);
  res.setHeader('X-List', ['1', '2']);
  res.setHeader('X-Latin', 'caf\u00e9');
  attempt('statusCode', () => res.writeHead(99));
  attempt('reason', () => res.writeHead(200, 'a\nb'));
  res.statusMessage = undefined;
  res.writeHead(201, 'Made', { 'x-list': 'over', 'X-New': 'n' });
  attempt('after', () => res.setHeader('a', 'b'));
  attempt('remove after', () => res.removeHeader('a'));
  attempt('head after', () => res.writeHead(200));
  res.end('caf\u00e9');
});
server.listen(0, () => {
  const socket = net.connect(server.address().port, () => {
    socket.write(['GET / HTTP/1.1', 'Host: a', 'X-A: 1', 'x-a: 2', 'Cookie: a=1', 'Cookie: b=2',
      'Set-Cookie: c', 'Set-Cookie: d', 'Content-Type: x', 'Content-Type: y', 'Age: 1', 'Age: 2',
      'Empty:', 'Spaces:   a  b  ', '__proto__: p', 'Connection: close', '', ''].join('\r\n'));
  });
  let text = '';
  socket.setEncoding('latin1');
  socket.on('data', (piece) => { text += piece; });
  socket.on('end', () => {
    console.log(text.replace(/Date: [^\r]*/, 'Date: *').split('\r\n'));
    server.close();
  });
});
