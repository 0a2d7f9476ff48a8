const http = require('http');
const net = require('net');
const server = http.createServer((req, res) => {
  res.setHeader('Date', 'never');
  res.setHeader('Transfer-Encoding', req.url === '/codings' ? 'gzip, chunked' : 'chunked');
  if (req.url === '/length') res.setHeader('Content-Length', 3);
  if (req.url === '/written') res.write('abc');
  if (req.url === '/head') res.writeHead(200, { Connection: 'close' });
  if (req.url === '/empty') res.end();
  else res.end('def');
});

function get(target) {
  return new Promise((resolve) => {
    const socket = net.connect(server.address().port);
    let text = '';
    socket.write(`GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    socket.on('data', (data) => { text += data; });
    socket.on('close', () => {
      console.log(target, JSON.stringify(text));
      resolve();
    });
  });
}

server.listen(0, async () => {
  for (const target of ['/end', '/written', '/head', '/empty', '/codings', '/length'])
    await get(target);
  server.close();
});
