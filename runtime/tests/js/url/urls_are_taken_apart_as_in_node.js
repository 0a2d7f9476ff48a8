// URL by the standard, with names in all letters; url.parse, format and resolve; files.
const url = require('url');
const { inspect } = require('util');

const attempt = (work) => {
  try {
    return work();
  } catch (error) {
    return `${error} ${error.code}`;
  }
};

console.log('--- URL');
for (const [text, base] of [
  ['http:///a//b', 'http://x/'], ['///a', 'http://x/y'], ['http:a', 'http://x/y/z'],
  ['file:a', 'file:///C:/x/y'], ['/a', 'file:///C:/x'], ['file://C|/x'], ['file:..'],
  ['//server/a', 'file:///b'], ['file://localhost/x'], ['foo:/..//a'], ['foo:///'], ['data:a b ?c'],
  ['http://09.1/'], ['http://0x7f.1/'], ['http://1.2.3.4.5/'], ['http://[1::2.3.4.05]/'],
  ['http://[::1%25a]/'], ['http://a"b`{}/'], ['http://a%41/'], ['http://a%zz/'], ['http://a^b/'],
  ['http://u@v:p@h:80/{}^|'], ['https://h:80/?\'"#`'], ['http://faß.de/'], ['http://☕.example/'],
  ['http://Bücher。com/'], ['http://xn--a/'], ['http://a\u00adb/'], ['http://\u00ad/'],
  ['http://ليهمابتكلموشعربي؟.ي؟/'], ['x', 'y'], ['#f', 'about:blank'], ['?q', 'about:blank'],
]) console.log(text, base ?? '', attempt(() => new URL(text, base).href));

console.log('--- setters');
for (const [text, key, value] of [
  ['http://u:p@h:81/a?b#c', 'protocol', 'ftp'], ['http://h:81/', 'protocol', 'file'],
  ['foo://h/', 'protocol', 'http'], ['http://h:443/', 'protocol', 'https'],
  ['http://h/', 'host', 'x:99/y'], ['http://h/', 'host', 'x:y'], ['http://h/', 'hostname', 'x:1'],
  ['http://h/', 'hostname', ''], ['foo://h:1/', 'hostname', ''], ['file:///a', 'host', 'x'],
  ['http://h/', 'port', '8a'], ['http://h/', 'port', '70000'], ['file:///', 'port', '1'],
  ['http://h/a', 'pathname', '\\..\\b?c#d'], ['foo:/a', 'pathname', ''],
  ['mailto:a', 'pathname', 'b'],
  ['http://h/?a', 'search', '?\tb\'#'], ['http://h/#a', 'hash', '#b`'],
  ['http://h/', 'username', 'a:b'],
  ['data:a  #b', 'hash', ''], ['data:a ?b', 'search', ''],
]) {
  const it = new URL(text);
  it[key] = value;
  console.log(text, key, value, it.href);
}
const held = new URL('http://h/??a=1');
console.log(held.searchParams, inspect(held, { depth: -1 }));
console.log(inspect(new URL('http://u:p@h:81/a?b#c'), { showHidden: true }));
for (const key of ['href', 'host']) console.log(attempt(() => Reflect.get(URL.prototype, key, {})));
console.log(attempt(() => new URL()), attempt(() => URL.revokeObjectURL()));
const address = URL.createObjectURL(new Blob(['ab'], { type: 'x/y' }));
console.log(/^blob:nodedata:[-0-9a-f]{36}$/.test(address));
console.log(require('buffer').resolveObjectURL(address));
URL.revokeObjectURL(address);
console.log(require('buffer').resolveObjectURL(address));

console.log('--- names');
for (const name of ['español.com', 'xn--espaol-zwa.com', 'xn--iñvalid.com', 'foo:80', 'foo/bar',
  'Ⅷ', 'a_b', '192.168.1']) {
  console.log(name, '|', url.domainToASCII(name), '|', url.domainToUnicode(name));
}

console.log('--- parse');
for (const text of ['HTTP:foo', 'javascript:a\\b', '//a\\b?c\\d', 'http:// a@b', 'http://a b/c',
  'x:y@z:90/p', 'http://[::1]x/', 'file:a', 'http:', 'foo:', '//?u@v', '/a{}?b', 'a?b"#`',
  'http://%E0%A4%A@x', 'http://ß.de;a/b?c', 'mailto:a@b.c?d']) {
  const shown = attempt(() => url.parse(text, true));
  console.log(text, typeof shown === 'string' ? shown : JSON.stringify(shown));
}
for (const [from, to] of [['/one/two/three', 'four'], ['http://a/b', '//c'], ['mailto:a@b', 'c@d'],
  ['http://u:p@h/x', '../../y?z'], ['foo:a/b', '../c'], ['http://h/a/b/', '..'], ['a', 'http:x/y'],
  ['http://h/x', '#y'], ['', '../a'], ['http://u:p@h/', 'http://h/z'], ['file:///a/b', 'c']]) {
  console.log(from, to, url.resolve(from, to));
}
console.log(url.format({ hostname: '::1', port: 8, pathname: 'a#b?', query: { x: [1, 2] } }));
console.log(url.format(new URL('http://u@xn--bcher-kva.com/a?b#c'),
  { unicode: true, auth: false, fragment: 0 }));

console.log('--- files');
for (const [path, windows] of [['/a b%\\?#~', false], ['C:\\a b\\', true], ['\\\\nas\\x\\y', true],
  ['\\\\?\\C:\\a', true], ['\\\\?\\UNC\\s\\t', true], ['\\\\x', true], [7]]) {
  console.log(path, attempt(() => url.pathToFileURL(path, { windows }).href));
}
for (const text of ['file:///C:/a%20b', 'file://h/a', 'file:///a', 'file:///C:/a%5cb']) {
  console.log(text, attempt(() => url.fileURLToPath(text, { windows: true })));
}
