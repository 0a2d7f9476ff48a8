'use strict';
const dns = require('dns');

dns.lookup('127.0.0.1', (error, address, family) => {
  console.log('callback', error, address, family);
  dns.promises.lookup('::1').then(({ address, family }) => console.log(address, family));
});
console.log('main');
process.nextTick(() => console.log('tick'));
