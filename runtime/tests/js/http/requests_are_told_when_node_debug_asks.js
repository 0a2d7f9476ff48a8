'use strict';
// NODE_DEBUG=http: lines about requests, and once that they may hold what nobody else should read.

const { spawnSync } = require('child_process');

const code = `
  const http = require('http');
  const server = http.createServer((req, res) => res.end('x')).listen(0, () => {
    http.get({ port: server.address().port }, (res) => {
      res.resume().on('end', () => server.close());
    });
  });
  require('util').debuglog('other', (log) => console.log(typeof log, log.length))('never');`;
for (const NODE_DEBUG of ['', 'http', 'net,ht*', 'https']) {
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', code],
    { env: { ...process.env, NODE_DEBUG }, encoding: 'utf8' });
  console.log(NODE_DEBUG, stdout.trim(), /^HTTP \d+: /m.test(stderr), /OTHER/.test(stderr),
    stderr.match(/Warning: Setting the NODE_DEBUG environment variable to '[^']+' can expose/g));
}
