'use strict';
const dns = require('dns');
const { answer, start } = require('./lib/server');

let asked = 0;
start((query, { name }) => {
  asked++;
  const knows = name === 'late.example' && asked > 1;
  return knows ? answer(query, [{ type: 'A', data: '1.1.1.1' }]) : undefined;
}, async (server) => {
  const resolver = new dns.promises.Resolver({ timeout: 40, tries: 2 });
  resolver.setServers([server.address]);
  await resolver.resolve4('never.example').catch(({ message, code }) =>
    console.log(message, code, asked));
  asked = 0;
  console.log(await resolver.resolve4('late.example'), asked);
  server.close();
});
