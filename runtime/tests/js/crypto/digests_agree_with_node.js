'use strict';
const crypto = require('crypto');
const { pipeline, Readable } = require('stream');

const NAMES = ['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512', 'sha512-224', 'sha512-256',
  'sha3-224', 'sha3-256', 'sha3-384', 'sha3-512', 'ripemd160', 'blake2b512', 'blake2s256', 'sm3',
  'RSA-SHA256', 'SHA-256', 'shake128', 'shake256'];
for (const name of NAMES) {
  console.log(name, crypto.createHash(name).update('').digest('hex'));
  console.log(name, crypto.createHash(name).update('é'.repeat(500)).update('ff', 'hex')
    .digest('base64url'));
  if (!name.startsWith('shake'))
    console.log(name, crypto.createHmac(name,
      'k'.repeat(150)).update('data').digest('latin1').length,
      crypto.createHmac(name, 'key').update('data').digest('hex'));
}
const all = crypto.getHashes();
console.log(['sha256', 'RSA-SHA256', 'shake128', 'ripemd', 'rmd160'].map((n) => all.includes(n)));

function attempt(name, work) {
  try {
    console.log(name, work());
  } catch (error) {
    console.log(name, error.name, error.code, error.message, error.reason, error.library);
  }
}

for (const length of [0, 1, 16, 33]) {
  attempt(`shake ${length}`, () => crypto.createHash('shake256', { outputLength: length })
    .update('x').digest('hex'));
}
attempt('same length', () => crypto.createHash('sha1', { outputLength: 20 }).digest('hex'));
attempt('other length', () => crypto.createHash('sha1', { outputLength: 21 }));
attempt('no length', () => crypto.createHash('sha1', { outputLength: null }));
attempt('negative', () => crypto.createHash('shake128', { outputLength: -1 }));
attempt('copy', () => {
  const hash = crypto.createHash('sha256').update('a');
  const copy = hash.copy();
  return [hash.digest('hex'), copy.update('b').digest('hex')];
});
attempt('longer copy', () => crypto.createHash('shake128', { outputLength: 3 }).update('a')
  .copy({ outputLength: 5 }).digest('hex'));
attempt('late copy', () => {
  const hash = crypto.createHash('sha256');
  hash.digest();
  return hash.copy();
});
attempt('legacy', () => crypto.createHash('md4'));
attempt('once', () => [crypto.hash('sha1', 'abc'), crypto.hash('sha1', Buffer.from('abc'),
  'base64'),
  crypto.hash('sha1', 'abc', 'buffer')]);
attempt('once unknown', () => crypto.hash('nope', 'abc'));
attempt('once encoding', () => crypto.hash('sha1', 'abc', 'nope'));
attempt('hex', () => crypto.createHash('sha1').update('abc', 'hex'));
attempt('views', () => crypto.createHash('sha1').update(new Uint16Array([1, 2]))
  .update(new DataView(new ArrayBuffer(3))).digest('hex'));
attempt('buffer', () => crypto.createHash('sha1').update(new ArrayBuffer(3)));
attempt('key', () => crypto.createHmac('sha1', crypto.createSecretKey(Buffer.from('k')))
  .update('a').digest('hex'));
attempt('no new', () => [crypto.Hash('sha1') instanceof crypto.Hash,
  crypto.Hmac('sha1', 'k') instanceof crypto.Hmac]);

const hash = crypto.createHash('sha256');
pipeline(Readable.from(['one', 'two', Buffer.from('three')]), hash, (error) => {
  console.log('stream', error, hash.read().toString('hex'), hash.digest('hex'));
  const hmac = crypto.createHmac('sha1', 'key', { encoding: 'utf8' });
  hmac.setEncoding('hex');
  hmac.on('data', (text) => console.log('hmac', text));
  hmac.end('text');
});
