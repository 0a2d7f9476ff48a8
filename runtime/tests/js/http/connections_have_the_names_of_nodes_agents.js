'use strict';
// What makes a connection another one, when the same is asked for again and when it has changed.
const http = require('http');
const https = require('https');

const plain = new http.Agent();
const secure = new https.Agent({ keepAlive: true });
const list = ['first'];
const bytes = Buffer.from('bytes');
const own = Object.create({ host: 'inherited', port: 7 });

const OPTIONS = [
  undefined, {}, { host: 'a', port: 80 }, { host: 'b', port: 80 }, { host: 'a', port: 80 },
  { host: 'a', port: '80' }, { host: 'a', port: 80, family: 4 }, { host: 'a', family: 5 },
  { host: 'a', port: 80, localAddress: '127.0.0.1' }, { socketPath: '/x' }, { host: 'c', port: 1 },
  { host: 'd', port: 1 }, { host: 'e', port: 1 }, { host: 'a', port: 80, path: '/ignored' }, own,
  { host: null, port: 0 }, { host: 'a', ca: list }, { host: 'a', ca: bytes },
  { host: 'a', rejectUnauthorized: null }, { host: 'a', rejectUnauthorized: false },
  { host: 'a', servername: 'a' }, { host: 'a', servername: 'b' }, { sigalgs: ['x'] },
  { host: 'a', secureOptions: null, honorCipherOrder: null },
];

for (let round = 0; round < 3; round++) {
  for (const options of OPTIONS) {
    console.log(plain.getName(options), secure.getName(options));
    console.log(plain.getName(options), secure.getName(options));
  }
  list.push(round);
  bytes[0]++;
  own.port = round;
}
let reads = 0;
const options = { get host() { return `host${reads++}`; }, port: 80 };
const [one, two] = [plain.getName(options), plain.getName(options)];
console.log(one !== two);
http.Agent.prototype.getName = () => 'another';
console.log(plain.getName({ host: 'a' }), secure.getName({ host: 'a' }));
for (const wrong of [null, 5, 'text']) {
  try {
    console.log(secure.getName(wrong));
  } catch (error) {
    console.log(error.name);
  }
}
