require('http').createServer((request, response) => response.end('hello')).listen(80);
