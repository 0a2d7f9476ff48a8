const http = require('http');
const net = require('net');
const server = http.createServer((req, res) => {
  console.log(req.headers.host, req.rawHeaders.join());
  res.end();
}).listen(0, () => {
  const socket = net.connect(server.address().port);
  socket.write('GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n');
  socket.on('data', (data) => console.log(String(data).split('\r\n')[0]));
  socket.on('close', () => server.close());
});
