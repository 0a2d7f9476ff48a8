const http = require('http');
const net = require('net');
const head = (target) => `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`;
const server = http.createServer((req, res) => {
  console.log(req.url);
  res.end(req.url);
  if (req.url === '/pushed') server.close();
});
server.on('connection', (socket) => {
  socket.unshift(Buffer.from(head('/first')));
  const last = head('/pushed').replace('a\r\n', 'a\r\nConnection: close\r\n');
  setTimeout(() => socket.push(last), 50);
});
server.listen(0, () => {
  const socket = net.connect(server.address().port);
  let text = '';
  socket.on('data', (data) => { text += data; });
  socket.on('close', () => console.log(text.split('200 OK').length));
});
