'use strict';
// Timers, files, HTTP, work of the pool and chance, and a line for everything that happens.
const fs = require('fs');
const http = require('http');
const crypto = require('crypto');
const os = require('os');
const path = require('path');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mixed-'));
const say = (...words) => console.log(Date.now(), ...words);

say('random', Math.random(), crypto.randomBytes(8).toString('hex'));
for (let i = 0; i < 8; i++) {
  const file = path.join(folder, String(i));
  fs.writeFile(file, `text ${i}`, () => fs.readFile(file, 'utf8', (error, text) => say(text)));
  setTimeout(() => say('timer', i), Math.floor(Math.random() * 50));
}
setTimeout(() => say('hours later'), 3 * 3600000);
const server = http.createServer((request, response) => {
  say('request', request.url, request.socket.remotePort);
  setTimeout(() => response.end(request.url.repeat(1000)), 5);
});
server.listen(0, '127.0.0.1', () => {
  let left = 6;
  for (let i = 0; i < 6; i++) {
    http.get({ port: server.address().port, path: `/${i}`, agent: false }, (response) => {
      let size = 0;
      response.on('data', (data) => { size += data.length; });
      response.on('end', () => {
        say('answer', i, size);
        if (--left === 0) server.close();
      });
    });
  }
});
process.on('exit', () => {
  fs.rmSync(folder, { recursive: true });
  say('end', process.hrtime.bigint());
});
