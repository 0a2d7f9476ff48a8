// Fetches that get no answer, half of one, no connection; with the virtual time that each took.
'use strict';
const http = require('http');

async function tell(name, ask) {
  const began = performance.now();
  try {
    await ask();
    console.log(name, 'passed');
  } catch ({ message, cause }) {
    const seconds = Math.round((performance.now() - began) / 1000);
    console.log(name, message, cause.name, cause.message, cause.code, seconds);
  }
}

(async () => {
  http.createServer((request, response) => {
    if (request.url === '/body') response.write('some');
    if (request.url === '/slow') {
      setTimeout(() => response.write('a'), 200_000);
      setTimeout(() => response.end('b'), 400_000);
    }
  }).listen(8123);
  await tell('slow', async () => (await fetch('http://localhost:8123/slow')).text());
  await tell('head', async () => (await fetch('http://localhost:8123/')).text());
  await tell('body', async () => (await fetch('http://localhost:8123/body')).text());
  await tell('connection', () => fetch('http://other:8123/'));
  process.exit();
})();
