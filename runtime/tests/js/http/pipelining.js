'use strict';
// Answers come in the order of the requests, whatever the order they were made in.
const http = require('http');
const net = require('net');

const waiting = [];
function answerOne() {
  waiting.shift()?.answer();
  if (waiting.length > 0) setImmediate(answerOne);
}
const server = http.createServer((req, res) => {
  console.log('request', req.url);
  const place = Number(req.url.slice(1));
  let body = '';
  function answer() {
    console.log('answer', req.url, body);
    if (place === 15) {
      res.write('in ');
      res.write('pieces ');
    }
    res.end(`<${req.url}>`);
  }
  req.on('data', (piece) => { body += piece; });
  req.on('end', () => {
    waiting.push({ place, answer });
    if (waiting.length < 5) return;
    waiting.sort((a, b) => a.place - b.place);
    setImmediate(answerOne);
  });
});
server.listen(0, () => {
  const socket = net.connect(server.address().port, () => {
    socket.write('GET /45 HTTP/1.1\r\nHost: a\r\n\r\nPOST /30 HTTP/1.1\r\nHost: a\r\n' +
      'Content-Length: 4\r\n\r\nbodyGET /15 HTTP/1.1\r\nHost: a\r\n\r\n' +
      'POST /1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n' +
      'GET /2 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  });
  let text = '';
  socket.on('data', (piece) => { text += piece; });
  socket.on('end', () => {
    console.log(text.match(/HTTP\/1.1 200|<[^>]*>|pieces|Connection: \S+/g));
    server.close(() => console.log('closed'));
  });
});
