'use strict';
// A program that looks at the bytes of an HTTPS connection, counts them, holds them back or ends
// the connection in the middle sees what it sees in Node.
const https = require('https');
const { ca, server: identity } = require('./keys');

const agent = new https.Agent({ keepAlive: true, maxSockets: 1, ca });
const print = (...words) => console.log(...words);

function ask(port, path, { body, prepare } = {}) {
  return new Promise((resolve) => {
    const request = https.request({ port, host: '127.0.0.1', path, agent,
      method: body === undefined ? 'GET' : 'POST' });
    prepare?.(request);
    request.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece) => { text += piece; });
      response.on('aborted', () => print(path, 'aborted'));
      response.on('error', (error) => print(path, 'error of the response', error.code));
      response.on('close', () => resolve(`${response.statusCode} ${text.length} ${
        text.slice(0, 20)} complete ${response.complete}`));
    });
    request.on('error', (error) => {
      print(path, 'error', error.code);
      request.on('close', () => resolve('failed'));
    });
    request.end(body);
  });
}

const ways = {
  '/plain'(request, response) { response.end('hello'); },
  '/count'(request, response) {
    const { socket } = request;
    const read = socket.bytesRead;
    const written = socket.bytesWritten;
    response.sendDate = false;
    response.end('counted');
    response.on('finish', () => {
      print('read something', read > 0, 'wrote', socket.bytesWritten - written);
    });
  },
  '/look'(request, response) {
    const { socket } = request;
    const own = socket.write;
    let seen = '';
    socket.write = function write(chunk, ...rest) {
      seen += chunk;
      return own.call(this, chunk, ...rest);
    };
    response.on('finish', () => {
      delete socket.write;
      print('own write saw the head', seen.startsWith('HTTP/1.1 200 OK'), seen.endsWith('looked'));
    });
    response.end('looked');
  },
  '/corked'(request, response) {
    request.socket.cork();
    response.end('corked');
    setImmediate(() => request.socket.uncork());
  },
  '/listen'(request, response) {
    let bytes = 0;
    request.socket.on('data', (chunk) => { bytes += chunk.length; });
    request.on('end', () => {
      request.socket.removeAllListeners('data');
      print('saw at least the body', bytes >= 100000);
      response.shouldKeepAlive = false;
      response.end('listened');
    });
    request.resume();
  },
  '/long'(request, response) { response.end('x'.repeat(300000)); },
  '/echo'(request, response) {
    let length = 0;
    request.on('data', (piece) => { length += piece.length; });
    request.on('end', () => response.end(Buffer.from(`${length} came`)));
  },
  '/paused'(request, response) {
    request.pause();
    setImmediate(() => request.resume());
    ways['/echo'](request, response);
  },
  '/half'(request, response) {
    response.writeHead(200, { 'content-length': 10 });
    response.write('half');
    setImmediate(() => request.socket.destroy());
  },
};

const server = https.createServer(identity, (request, response) => {
  request.socket.on('error', () => {});
  ways[request.url](request, response);
});
server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  for (const path of ['/plain', '/count', '/look', '/corked', '/long']) {
    print(path, await ask(port, path));
  }
  print('/echo', await ask(port, '/echo', { body: 'y'.repeat(200000) }));
  print('/paused', await ask(port, '/paused', { body: 'z'.repeat(200000) }));
  print('/listen', await ask(port, '/listen', { body: 'w'.repeat(200000) }));
  print('/own write of the client', await ask(port, '/plain', { prepare(request) {
    request.on('socket', (socket) => {
      const own = socket.write;
      socket.write = function write(chunk, ...rest) {
        print('client writes', `${chunk}`.split('\r\n')[0]);
        delete socket.write;
        return own.call(this, chunk, ...rest);
      };
    });
  } }));
  print('/half', await ask(port, '/half'));
  print('client destroys', await ask(port, '/long', { prepare(request) {
    request.on('response', () => request.destroy());
  } }));
  print('destroy when asked', await ask(port, '/plain', { prepare(request) {
    request.on('socket', (socket) => socket.destroy());
  } }));
  print('/plain', await ask(port, '/plain'));
  agent.destroy();
  server.close(() => print('closed'));
});
