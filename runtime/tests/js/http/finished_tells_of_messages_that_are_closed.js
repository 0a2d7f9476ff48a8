const http = require('http');
const { finished } = require('stream');
const server = http.createServer((req, res) => {
  res.on('close', () => {
    finished(res, (error) => {
      console.log('response', error?.code);
      finished(req, (failure) => console.log('request', failure?.code));
    });
  });
  if (req.url === '/whole') {
    res.end('x');
    return;
  }
  res.write('x');
  setTimeout(() => req.socket.destroy(), 20);
});

const get = (path) => new Promise((resolve) => {
  http.get({ port: server.address().port, path, agent: false }, (res) => {
    res.resume();
    res.on('error', (error) => console.log(error.code));
    res.on('close', () => finished(res, (error) => {
      console.log('client', error?.code);
      setTimeout(resolve, 50);
    }));
  });
});

server.listen(0, async () => {
  await get('/whole');
  await get('/cut');
  server.close();
});
