'use strict';
const crypto = require('crypto');

function attempt(name, work) {
  try {
    console.log(name, work());
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
}

const NAMES = ['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512', 'ripemd160'];
for (const name of NAMES) {
  console.log(name, crypto.createHash(name).update('').digest('hex'));
  console.log(name, crypto.createHash(name).update('a'.repeat(1000)).update('é').digest('base64'));
  console.log(name, crypto.createHmac(name, 'key').update('data').digest('hex'));
  console.log(name, crypto.createHmac(name, 'k'.repeat(200)).update('data').digest('hex'));
}
const all = crypto.getHashes();
console.log(NAMES.every((name) => all.includes(name)), all.includes('RSA-SHA256'));
console.log(crypto.createHash('SHA-256').update(new Uint8Array([1, 2])).digest('hex'),
  crypto.createHash('RSA-SHA1').update('ff00', 'hex').digest('latin1').length);

attempt('unknown', () => crypto.createHash('nope'));
attempt('unknown hmac', () => crypto.createHmac('nope', 'key'));
attempt('no key', () => crypto.createHmac('sha1'));
attempt('no name', () => crypto.createHash());
attempt('number', () => crypto.createHash('md5').update(3));
attempt('twice', () => {
  const hash = crypto.createHash('md5');
  hash.digest();
  return hash.digest();
});
attempt('after', () => {
  const hash = crypto.createHash('md5');
  hash.digest();
  return hash.update('a');
});
attempt('hmac twice', () => {
  const hmac = crypto.createHmac('md5', 'k');
  return [hmac.digest('hex'), hmac.digest('hex')];
});
attempt('copy', () => {
  const hash = crypto.createHash('md5').update('a');
  const copy = hash.copy();
  return [hash.update('b').digest('hex'), copy.update('c').digest('hex')];
});
attempt('at once', () => [crypto.hash('sha1', 'abc'), crypto.hash('sha1', 'abc', 'base64')]);
attempt('pbkdf2', () => crypto.pbkdf2Sync('p', 's', 10, 70, 'sha512').toString('hex'));
attempt('pbkdf2 digest', () => crypto.pbkdf2Sync('p', 's', 10, 20, 'xx'));
attempt('pbkdf2 count', () => crypto.pbkdf2Sync('p', 's', 0, 20, 'sha1'));
attempt('scrypt', () => crypto.scryptSync('p', 's', 40, { N: 1024, r: 4, p: 2 }).toString('hex'));
attempt('scrypt cost', () => crypto.scryptSync('p', 's', 16, { N: 1000 }));
attempt('scrypt memory', () => crypto.scryptSync('p', 's', 16, { N: 1 << 20 }).length);
attempt('hkdf', () => Buffer.from(crypto.hkdfSync('sha256', 'k', 's', 'i', 40)).toString('hex'));
attempt('equal', () => [crypto.timingSafeEqual(Buffer.from('ab'), Buffer.from('ab')),
  crypto.timingSafeEqual(new Uint16Array([1]), new Uint16Array([2]))]);
attempt('lengths', () => crypto.timingSafeEqual(Buffer.from('a'), Buffer.from('ab')));
attempt('texts', () => crypto.timingSafeEqual('a', 'b'));
attempt('random', () => [crypto.randomBytes(8).length, crypto.randomUUID().length,
  crypto.randomInt(5) < 5, crypto.randomInt(3, 4)]);
attempt('no range', () => crypto.randomInt(5, 3));
attempt('no number', () => crypto.randomInt('a'));

const stream = crypto.createHash('sha1');
stream.on('data', (bytes) => console.log('stream', bytes.toString('hex')));
stream.on('end', () => {
  crypto.pbkdf2('p', 's', 1, 8, 'sha1', (error, key) => {
    console.log('pbkdf2', error, key.toString('hex'));
    crypto.scrypt('p', 's', 8, { N: 16 }, (failure, made) => {
      console.log('scrypt', failure, made.toString('hex'));
      crypto.randomFill(Buffer.alloc(4), (problem, bytes) => console.log(problem, bytes.length));
    });
  });
});
stream.write('one');
stream.end('two');
