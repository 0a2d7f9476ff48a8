'use strict';
// A server that says hello, for load.c.
const http = require('http');
const server = http.createServer((request, response) => response.end('hello'));
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
