'use strict';
const dns = require('dns');
const { answer, start } = require('./lib/server');

let state = 12345;
function random(below) {
  state = (Math.imul(state, 1103515245) + 12345) >>> 0;
  return (state >>> 8) % below;
}
const WHOLE = [{ type: 'A', data: '1.2.3.4' }, { type: 'MX', data: [1, 'a.b.c'] },
  { type: 'TXT', data: ['some', 'text'] }, { type: 'SOA', data: ['a', 'b', 1, 2, 3, 4, 5] },
  { type: 'NAPTR', data: [1, 2, 'a', 'b', 'c', 'd.e'] }, { type: 'SRV', data: [1, 2, 3, 'x.y'] },
  { type: 'CAA', data: [0, 'issue', 'ca'] }, { type: 'PTR', data: 'p.q' },
  { type: 'AAAA', data: '00010002000300040005000600070008' }];
const LOOP = Buffer.from([0xc0, 12, 0, 5, 0, 1, 0, 0, 0, 1, 0, 2, 0xc0, 0]);

function damaged(query) {
  const bytes = answer(query, WHOLE);
  const behind = query.length; // the question stays, or c-ares takes the answer for another's
  for (let i = random(6); i >= 0; i--) {
    const at = behind + random(bytes.length - behind);
    bytes[at] = [random(256), 0xc0, 0xff, 0, 63, 64][random(6)];
  }
  if (random(4) === 0) bytes.writeUInt16BE(random(65536), 6);
  if (random(4) === 0) return bytes.subarray(0, behind + random(bytes.length - behind));
  if (random(6) === 0) return Buffer.concat([bytes.subarray(0, behind), LOOP, LOOP]);
  return bytes;
}

const METHODS = ['resolve4', 'resolve6', 'resolveAny', 'resolveCaa', 'resolveCname', 'resolveMx',
  'resolveNaptr', 'resolveNs', 'resolvePtr', 'resolveSoa', 'resolveSrv', 'resolveTxt', 'reverse'];
const ROUNDS = 40;

start(damaged, async (server) => {
  const resolver = new dns.Resolver({ timeout: 100, tries: 1 });
  resolver.setServers([server.address]);
  let ended = 0;
  for (let i = 0; i < ROUNDS; i++) {
    await Promise.all(METHODS.map((method) => new Promise((next) => {
      resolver[method](method === 'reverse' ? '192.0.2.1' : 'x.example', () => {
        ended++;
        next();
      });
    })));
  }
  console.log(ended === ROUNDS * METHODS.length);
  server.close();
});
