'use strict';
const dns = require('dns');
const { TYPES, answer, start } = require('./lib/server');

const RECORDS = [
  { type: 'A', data: '1.2.3.4', ttl: 7 }, { type: 'A', data: '10.20.30.255', ttl: 8 },
  { type: 'AAAA', data: '20010db8000000000000000000000001', ttl: 9 },
  { type: 'AAAA', data: '00000000000000000000000000000001' },
  { type: 'AAAA', data: '00000000000000000000ffff01020304' },
  { type: 'AAAA', data: '20010db80001000000000000cafe0000' },
  { type: 'AAAA', data: '00010002000300040005000600070008' },
  { type: 'AAAA', data: 'fe800000000100000000000000000000' },
  { type: 'CNAME', data: 'alias.example' },
  { type: 'MX', data: [10, 'mail.example'] }, { type: 'MX', data: [20, 'other.example'] },
  { type: 'NS', data: 'ns1.example' }, { type: 'NS', data: 'ns2.example' },
  { type: 'PTR', data: 'host.example' },
  { type: 'TXT', data: ['v=spf1', '\u20ac and more'] }, { type: 'TXT', data: ['second'] },
  { type: 'SRV', data: [1, 2, 8080, 'service.example'] },
  { type: 'NAPTR', data: [100, 10, 'S', 'SIP+D2U', '!^.*$!sip:x@y!', '_sip._udp.example'] },
  { type: 'SOA', data: ['ns1.example', 'admin.example', 4294967295, 900, 901, 1800, 60] },
  { type: 'CAA', data: [0, 'issue', 'ca.example'] },
  { type: 'CAA', data: [128, 'iodef', 'mailto:x@y'] },
];

start((query, { type }) => answer(query, RECORDS.filter((one) =>
  TYPES[one.type] === type || (type === TYPES.ANY && one.type !== 'CNAME'))), async (server) => {
  dns.setServers([server.address]);
  for (const type of Object.keys(TYPES).filter((one) => one !== 'ANY')) {
    console.log(type, await dns.promises.resolve('all.example', type));
  }
  console.log('any', await dns.promises.resolveAny('all.example'));
  console.log('ttl', await dns.promises.resolve4('all.example', { ttl: true }));
  console.log('ttl', (await dns.promises.resolve6('all.example', { ttl: true }))[0]);
  console.log('reverse', await dns.promises.reverse('192.0.2.1'));
  const resolver = new dns.Resolver();
  resolver.setServers([server.address]);
  for (const method of ['resolveMx', 'resolveSrv', 'resolveTxt', 'resolveSoa', 'resolveCaa']) {
    await new Promise((next) => {
      resolver[method]('all.example', (error, found) => {
        console.log(method, error, found);
        next();
      });
    });
  }
  server.close();
});
