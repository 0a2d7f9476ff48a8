// Which side hears first that a connection has gone is up to the kernel.
const http = require('http');
const { finished } = require('stream');
let told;
const server = http.createServer((req, res) => {
  res.on('close', () => {
    finished(res, (error) => {
      finished(req, (failure) => told(`response ${error?.code}\nrequest ${failure?.code}`));
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
  const lines = [];
  http.get({ port: server.address().port, path, agent: false }, (res) => {
    res.resume();
    res.on('error', (error) => lines.push(error.code));
    res.on('close', () => finished(res, (error) => {
      lines.push(`client ${error?.code}`);
      resolve(lines.join('\n'));
    }));
  });
});

server.listen(0, async () => {
  for (const path of ['/whole', '/cut']) {
    const serverSide = new Promise((resolve) => { told = resolve; });
    const clientSide = get(path);
    console.log(await serverSide);
    console.log(await clientSide);
  }
  server.close();
});
