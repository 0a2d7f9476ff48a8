'use strict';
const dns = require('dns');
const { answer, start } = require('./lib/server');

const many = Array.from({ length: 400 }, (_, i) => (
  { type: 'A', data: `10.0.${i >> 8}.${i & 255}` }));
const seen = [];

start((query, asked, isTcp) => {
  seen.push(isTcp ? 'tcp' : 'udp');
  return isTcp ? answer(query, many) : answer(query, [], { truncated: true });
}, async (server) => {
  const resolver = new dns.promises.Resolver();
  resolver.setServers([server.address]);
  const found = await resolver.resolve4('large.example');
  console.log(found.length, found[0], found[399], seen);
  server.close();
});
