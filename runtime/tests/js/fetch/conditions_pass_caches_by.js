'use strict';
const http = require('http');

const server = http.createServer(({ url, headers }, response) => {
  const { pragma, 'cache-control': control, 'if-none-match': match, 'if-range': range } = headers;
  console.log(url, { pragma, control, match, range });
  response.end();
}).listen(0, async () => {
  const get = (name, options) => fetch(`http://127.0.0.1:${server.address().port}${name}`, options);
  await get('/plain');
  await get('/match', { headers: { 'if-none-match': '"x"' } });
  await get('/range', { headers: { 'if-range': '"x"', 'cache-control': 'max-stale' } });
  for (const cache of ['no-store', 'reload', 'no-cache', 'force-cache']) {
    await get(`/${cache}`, { cache });
  }
  await get('/told', { cache: 'no-cache', headers: { 'cache-control': 'max-age=5' } });
  server.closeAllConnections();
  server.close();
});
