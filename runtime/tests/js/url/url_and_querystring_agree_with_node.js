'use strict';
const url = require('url'),
  qs = require('querystring');
for (const u of [
  'http://user:pa%20ss@EXAMPLE.com:8080/a/../b/./c?x=1&y=2#frag',
  'https://example.com:443',
  'file:///tmp/a b',
  'http://[::1]:80/',
  'http://1.2.3',
  'http://0x7f.1/',
  'data:text/plain,hi',
  'http://münchen.de/ü?ö#ä',
  'mailto:a@b.c',
  'http://a/%2e%2e/b',
  'ws://x/?a=b c',
]) {
  const x = new URL(u);
  console.log(x.href, x.origin, x.host, x.pathname, x.search, x.hash, x.username, x.password);
}
for (const [a, b] of [
  ['../x', 'http://h/a/b/c'],
  ['?q', 'http://h/a?b'],
  ['//o/p', 'https://h/'],
  ['#z', 'http://h/a?b'],
  ['/abs', 'http://h/a/b'],
  ['g:h', 'http://a/'],
  ['', 'http://h/a?b#c'],
])
  console.log(new URL(a, b).href);
for (const bad of [
  'nope',
  'http://',
  'http://a b',
  'http://[::',
  'http://1.2.3.4.5',
  'http://x:99999',
]) {
  try {
    console.log(new URL(bad).href);
  } catch (e) {
    console.log(e.code, e.message, e.input, e.name);
  }
}
const u = new URL('http://h/?a=1&b=2&a=3');
u.searchParams.append('c', 'x y&');
u.searchParams.delete('b');
console.log(u.href, u.searchParams.getAll('a'), [...u.searchParams], u.searchParams);
u.port = '81';
u.pathname = '/p q';
u.hash = 'h';
u.hostname = 'z';
u.protocol = 'https';
console.log(String(u), u);
console.log(
  new URLSearchParams({ a: '1', b: 'é' }).toString(),
  new URLSearchParams([['x', '1']]).get('x'),
  new URLSearchParams('?q=%41+b').get('q'),
  URL.canParse('x:'),
  url.fileURLToPath('file:///a%20b'),
  url.pathToFileURL('/a b#').href,
);
console.log(
  url.parse('http://u:p@host:80/p/a?q=1#h'),
  url.format({ protocol: 'http', host: 'a.b', pathname: '/x', query: { y: 1 } }),
  url.resolve('/one/two', 'three'),
  url.resolve('http://e.com/one', '/two'),
);
console.log(
  qs.parse('a=1&b=2&a=3&c=%20x+y&d'),
  qs.stringify({ a: [1, 2], b: 'x y', c: true, d: null }),
  qs.escape('é&'),
);
