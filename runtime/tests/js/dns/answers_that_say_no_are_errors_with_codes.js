'use strict';
const dns = require('dns');
const { answer, start } = require('./lib/server');

const REPLIES = {
  'formerr.example': (query) => answer(query, [], { rcode: 1 }),
  'servfail.example': (query) => answer(query, [], { rcode: 2 }),
  'missing.example': (query) => answer(query, [], { rcode: 3 }),
  'notimp.example': (query) => answer(query, [], { rcode: 4 }),
  'refused.example': (query) => answer(query, [], { rcode: 5 }),
  'empty.example': (query) => answer(query, []),
  'other.example': (query) => answer(query, [{ type: 'CNAME', data: 'x.example' }]),
  'lies.example': (query) => answer(query, [], { count: 5 }),
  'short.example': (query) => answer(query, [{ type: 'A', data: Buffer.from([1, 2]) }]),
};

start((query, { name }) => REPLIES[name](query), async (server) => {
  const resolver = new dns.promises.Resolver({ timeout: 300, tries: 1 });
  resolver.setServers([server.address]);
  for (const name of Object.keys(REPLIES)) {
    try {
      console.log(name, await resolver.resolve4(name));
    } catch ({ message, code, errno, syscall, hostname }) {
      console.log(name, { message, code, errno, syscall, hostname });
    }
  }
  for (const [method, name] of [['resolveTxt', 'missing.example'], ['resolveMx', 'empty.example'],
    ['resolveSrv', 'servfail.example'], ['resolve4', 'a..b'], ['resolve4', 'x'.repeat(70)]]) {
    await resolver[method](name).catch((error) => console.log(error.message, error.code));
  }
  server.close();
});
