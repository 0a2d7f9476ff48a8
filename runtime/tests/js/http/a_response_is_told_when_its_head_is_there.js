'use strict';
const channels = require('diagnostics_channel');
const http = require('http');

channels.subscribe('http.client.response.finish', ({ request, response }) =>
  console.log('told', request.path, response.complete));

const server = http.createServer((request, response) => {
  response.write('first');
  setImmediate(() => response.end('last'));
}).listen(0, () => {
  const { port } = server.address();
  http.get({ port, path: '/read', agent: false }, (response) => {
    console.log('response');
    response.resume();
    response.on('end', () => {
      console.log('end');
      http.get({ port, path: '/unread', agent: false }, (unread) => {
        console.log('response that nobody reads');
        unread.destroy();
        server.close();
      });
    });
  });
});
