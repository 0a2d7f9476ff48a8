'use strict';
// The answer to a request that waited for a free connection belongs to who made the request.
const { AsyncLocalStorage } = require('async_hooks');
const http = require('http');

const storage = new AsyncLocalStorage();
const server = http.createServer((req, res) => res.end(req.url));

function ask(agent, next) {
  let left = 3;
  for (let i = 0; i < 3; i++) {
    storage.run(`request ${i}`, () => {
      http.get({ agent, port: server.address().port, path: `/${i}` }, (res) => {
        console.log(i, storage.getStore());
        res.resume().on('end', () => {
          console.log(i, 'end', storage.getStore());
          if (--left === 0) next();
        });
      });
    });
  }
}

server.listen(0, () => {
  ask(new http.Agent({ maxSockets: 1 }), () => {
    const kept = new http.Agent({ maxSockets: 1, keepAlive: true });
    ask(kept, () => {
      kept.destroy();
      server.close();
    });
  });
});
