'use strict';
const dns = require('dns');

function attempt(name, work) {
  try {
    console.log(name, work());
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
}

const resolver = new dns.Resolver();
for (const servers of ['x', undefined, [1], [undefined], ['1.1.1.1.1'], ['256.1.1.1'], ['::1:x'],
  ['[::1'], ['localhost'], [''], ['1.1.1.1:'], ['1.1.1.1:53x']]) {
  attempt(`setServers ${JSON.stringify(servers)}`, () => resolver.setServers(servers));
}
const good = ['[::1]:53', '[::1]:54', '::2', '1.1.1.1', '1.1.1.1:54', '[2001:db8::1]'];
attempt('good', () => resolver.setServers(good));
console.log(resolver.getServers());
attempt('none', () => resolver.setServers([]));
console.log(resolver.getServers());
for (const args of [[], ['x'], ['1.2.3.4', '1.2.3.5'], ['::1', '::2'], ['::1'], ['127.0.0.1', 1],
  ['127.0.0.1', 'x'], ['127.0.0.1', '::1'], ['127.0.0.1']]) {
  attempt(`setLocalAddress ${args}`, () => resolver.setLocalAddress(...args));
}
for (const options of [{ timeout: 'x' }, { timeout: -2 }, { timeout: null }, { tries: 0 },
  { tries: 1.5 }, { tries: null }]) {
  attempt(`Resolver ${JSON.stringify(options)}`, () => new dns.Resolver(options));
}
attempt('reverse', () => dns.reverse('bogus', () => {}));
attempt('resolve', () => dns.resolve('x', 'BOGUS', () => {}));
attempt('resolve', () => dns.resolve('x', 'constructor', () => {}));
attempt('resolve', () => dns.resolve('x', 3, () => {}));
attempt('resolve', () => dns.resolve(3, () => {}));
attempt('resolve4', () => dns.resolve4('a'));
attempt('promises', () => dns.promises.resolve4(3));
attempt('promises', () => dns.promises.resolve('x', 3));
attempt('promises', () => dns.promises.reverse(3));
console.log(Object.keys(dns), Object.keys(dns.promises));
