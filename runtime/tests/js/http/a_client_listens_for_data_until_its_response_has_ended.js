'use strict';
// Packages ask so whether a response was cut off (node-fetch 2).
const http = require('http');
const net = require('net');

const CUT = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n';
const count = (socket) => socket.listenerCount('data');

function cut(done) {
  const server = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(CUT));
  }).listen(0, () => {
    const request = http.get({ port: server.address().port }, (response) => {
      const { socket } = request;
      console.log('response', count(socket));
      response.once('data', () => console.log('data', count(socket)));
      response.on('error', (error) => console.log(error.code, count(socket)));
      response.on('close', () => {
        console.log('close', count(socket));
        server.close(done);
      });
    });
    request.on('socket', (socket) => console.log('socket', count(socket)));
  });
}

function whole(agent, left, done) {
  const server = http.createServer((request, response) => response.end('ok')).listen(0, () => {
    const again = () => {
      const request = http.get({ port: server.address().port, agent }, (response) => {
        const { socket } = request;
        response.resume();
        console.log('whole', count(socket), request.reusedSocket);
        response.on('end', () => console.log('end', count(socket)));
        response.on('close', () => {
          console.log('closed', count(socket));
          if (--left > 0) {
            setImmediate(again);
            return;
          }
          agent.destroy();
          server.close(done);
        });
      });
    };
    again();
  });
}

cut(() => whole(new http.Agent({ keepAlive: true }), 3, () => console.log('done')));
