// A 'data' listener on the socket of a request hears what comes after it; answers without any
// framing end the connection; a request that was read and paused keeps its data.
const http = require('http');
const net = require('net');
const log = console.log;

function heard(method, done) {
  const server = http.createServer((request, response) => {
    response.end();
    let text = '';
    request.socket[method]('data', (data) => { text += data; });
    request.socket.on('close', () => {
      log(method, JSON.stringify(text));
      server.close(done);
    });
  }).listen(0, () => {
    const socket = net.connect(server.address().port);
    socket.write('PUT / HTTP/1.1\r\nHost: name\r\n\r\n');
    socket.once('data', () => socket.end('hello world'));
  });
}

function unframed(done) {
  const server = http.createServer((request, response) => {
    for (const name of ['connection', 'transfer-encoding', 'content-length', 'date']) {
      response.removeHeader(name);
    }
    const { socket } = response;
    response.on('finish', () => log('ended', socket.writableEnded));
    response.end('text');
  }).listen(0, () => {
    http.get({ port: server.address().port, agent: false }, (response) => {
      log(response.rawHeaders);
      response.on('data', (data) => log(String(data))).on('end', () => server.close(done));
    });
  });
}

function paused(done) {
  const server = http.createServer((request, response) => {
    request.once('data', () => {
      request.pause();
      response.end();
      response.on('finish', () => log('dumped', request._dumped));
    });
  }).listen(0, () => {
    http.request({ port: server.address().port, method: 'POST', agent: false }, (response) => {
      response.resume().on('end', () => server.close(done));
    }).end(Buffer.alloc(1024));
  });
}

heard('on', () => heard('prependListener', () => unframed(() => paused(() => log('done')))));
