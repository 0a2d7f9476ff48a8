'use strict';
// A page searches while somebody types: each answer replaces what is shown. Two questions a few
// milliseconds apart, and the answer to the first may come last.
//
//   phasor sim --seeds 1000 stale-answer.js
const assert = require('assert');
const http = require('http');

const server = http.createServer((request, response) => {
  setTimeout(() => response.end(request.url.slice(1)), 20);
}).listen(8080, () => {
  let shown;
  let answers = 0;
  function search(text) {
    http.get(`http://localhost:8080/${text}`, { agent: false }, (response) => {
      response.setEncoding('utf8').on('data', (found) => { shown = found; }).on('end', () => {
        if (++answers < 2) return;
        assert.strictEqual(shown, 'word');
        server.close();
      });
    });
  }
  search('wor');
  setTimeout(search, 3, 'word');
});
