'use strict';
// The mended stale-answer.js: only the answer to the last question is shown.
const assert = require('assert');
const http = require('http');

const server = http.createServer((request, response) => {
  setTimeout(() => response.end(request.url.slice(1)), 20);
}).listen(8080, () => {
  let shown;
  let answers = 0;
  let asked = 0;
  function search(text) {
    const number = ++asked;
    http.get(`http://localhost:8080/${text}`, { agent: false }, (response) => {
      response.setEncoding('utf8').on('data', (found) => {
        if (number === asked) shown = found;
      }).on('end', () => {
        if (++answers < 2) return;
        assert.strictEqual(shown, 'word');
        server.close();
      });
    });
  }
  search('wor');
  setTimeout(search, 3, 'word');
});
