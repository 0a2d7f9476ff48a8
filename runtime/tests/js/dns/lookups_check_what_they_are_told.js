'use strict';
const dns = require('dns');

function attempt(name, work) {
  try {
    work();
    console.log(name, 'accepted');
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
}
const none = () => {};

for (const options of [{ hints: 1000 }, { family: 3 }, { family: '4' }, { all: 1 },
  { verbatim: 1 }, 'y', { order: 'y' }, 7, { hints: 'a' }, null, { family: 'IPv4' },
  { order: 'ipv6first' }]) {
  attempt(JSON.stringify(options), () => dns.lookup('127.0.0.1', options, none));
}
attempt('number', () => dns.lookup(1, none));
attempt('no callback', () => dns.lookup('x', {}));
attempt('service', () => dns.lookupService());
attempt('service', () => dns.lookupService('127.0.0.1', 80));
attempt('service', () => dns.lookupService('x', 80, none));
attempt('service', () => dns.lookupService('127.0.0.1', undefined, none));
attempt('service', () => dns.promises.lookupService('127.0.0.1'));
attempt('promise', () => dns.promises.lookup('x', { family: 20 }));
attempt('order', () => dns.setDefaultResultOrder('y'));
dns.setDefaultResultOrder('ipv4first');
console.log(dns.getDefaultResultOrder(), dns.promises.getDefaultResultOrder());
dns.lookup('::1', { all: true }, (...args) => console.log(args));
dns.promises.lookup('127.0.0.1').then((found) => console.log(found));
