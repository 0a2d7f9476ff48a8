'use strict';
const net = require('net');
const server = net.createServer((s) => {
  console.log('connection', s.remoteFamily);
  s.on('data', (d) => {
    s.write('echo:' + d);
  });
  s.on('end', () => {
    console.log('server end');
  });
  s.on('close', (e) => console.log('server socket close', e));
});
server.listen(0, '127.0.0.1', () => {
  console.log('listening', server.address().family, server.listening);
  const c = net.connect(server.address().port, '127.0.0.1', () => {
    console.log('connected', c.readyState);
    c.write('hello');
  });
  c.setEncoding('utf8');
  c.on('data', (d) => {
    console.log('client', d);
    c.end();
  });
  c.on('end', () => console.log('client end'));
  c.on('close', (e) => {
    console.log('client close', e, c.bytesRead, c.bytesWritten, c.destroyed);
    server.close(() => console.log('server closed'));
  });
});
const bad = net.connect(1, '127.0.0.1');
bad.on('error', (e) => console.log(e.code, e.syscall, e.port, e.message));
bad.on('close', (h) => console.log('bad close', h));
