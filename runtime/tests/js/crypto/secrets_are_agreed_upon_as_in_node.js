'use strict';
const crypto = require('crypto');
const pems = require('./parts/keys.js');

function attempt(name, work) {
  try {
    console.log(name, work());
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
}

const own = Buffer.alloc(32, 7);
const other = Buffer.alloc(32, 9);
for (const name of ['modp1', 'modp5', 'MODP14']) {
  const group = crypto.getDiffieHellman(name);
  console.log(name, group.getPrime('hex').length, group.getGenerator(), group.verifyError,
    group instanceof crypto.DiffieHellmanGroup, group.setPrivateKey);
}
attempt('dh', () => {
  const prime = crypto.getDiffieHellman('modp14').getPrime();
  const [one, two] = [own, other].map((key) => {
    const dh = crypto.createDiffieHellman(prime, 2);
    dh.setPrivateKey(key);
    dh.generateKeys();
    return dh;
  });
  const secret = one.computeSecret(two.getPublicKey('base64'), 'base64', 'hex');
  return [one.getPublicKey('hex').slice(0, 40), secret.slice(0, 40), one.verifyError,
    secret === two.computeSecret(one.getPublicKey()).toString('hex')];
});
attempt('group', () => crypto.getDiffieHellman('nope'));
attempt('no key', () => crypto.getDiffieHellman('modp5').getPublicKey());
attempt('no private key', () => crypto.getDiffieHellman('modp5').getPrivateKey());
attempt('small', () => crypto.createDiffieHellman(1));
attempt('generator', () => crypto.createDiffieHellman(512, 1));
attempt('type', () => crypto.createDiffieHellman({}));
attempt('too small', () => {
  const dh = crypto.getDiffieHellman('modp5');
  dh.generateKeys();
  return dh.computeSecret(Buffer.alloc(2));
});

for (const curve of ['prime256v1', 'secp256k1', 'secp521r1']) {
  attempt(curve, () => {
    const [one, two] = [own, other].map((key) => crypto.createECDH(curve).setPrivateKey(key));
    return [one.getPublicKey('hex', 'compressed'), one.getPublicKey('hex', 'hybrid').slice(0, 20),
      one.getPrivateKey('hex'), one.computeSecret(two.getPublicKey(), null, 'hex'),
      crypto.ECDH.convertKey(two.getPublicKey('hex'), curve, 'hex', 'hex', 'compressed')];
  });
}
attempt('curve', () => crypto.createECDH('nope'));
attempt('ecdh', () => crypto.createECDH('prime256v1').computeSecret(own));
attempt('point', () => crypto.createECDH('prime256v1').setPrivateKey(own).computeSecret(own));
attempt('private', () => crypto.createECDH('prime256v1').setPrivateKey(Buffer.alloc(3)));
attempt('public', () => crypto.createECDH('prime256v1').getPublicKey());
attempt('format', () => crypto.createECDH('prime256v1').generateKeys('hex', 'nope'));
attempt('convert', () => crypto.ECDH.convertKey(own, 'prime256v1'));
attempt('curves', () => ['prime256v1', 'secp384r1'].every((n) => crypto.getCurves().includes(n)));

const [first, second] = [pems.x25519, pems.otherX25519].map((pem) => crypto.createPrivateKey(pem));
const publicOf = (key) => crypto.createPublicKey(key);
attempt('x25519', () => [
  crypto.diffieHellman({ privateKey: first, publicKey: publicOf(second) }).toString('hex'),
  crypto.diffieHellman({ privateKey: second, publicKey: publicOf(first) }).toString('hex')]);
attempt('kinds', () => crypto.diffieHellman({ privateKey: first,
  publicKey: publicOf(crypto.createPrivateKey(pems.ec)) }));
attempt('no kind', () => crypto.diffieHellman({ privateKey: first }));
attempt('public', () => crypto.diffieHellman({ privateKey: publicOf(first), publicKey: first }));

for (const digest of ['sha1', 'sha256', 'sha3-512']) {
  console.log(crypto.pbkdf2Sync('pass', 'salt', 3, 33, digest).toString('hex'),
    Buffer.from(crypto.hkdfSync(digest, 'key', 'salt', 'info', 40)).toString('hex'));
}
console.log(crypto.scryptSync('pass', 'salt', 24, { N: 1024, r: 4, p: 2 }).toString('hex'));
attempt('scrypt', () => crypto.scryptSync('p', 's', 8, { N: 3 }));
attempt('scrypt names', () => crypto.scryptSync('p', 's', 8, { N: 4, cost: 4 }));
attempt('scrypt memory', () => crypto.scryptSync('p', 's', 8, { N: 2 ** 20 }));
attempt('hkdf', () => crypto.hkdfSync('sha1', 'a', 'b', 'c', 1e6));
attempt('hkdf digest', () => crypto.hkdfSync('nope', 'a', 'b', 'c', 10));
attempt('hkdf info', () => crypto.hkdfSync('sha1', 'a', 'b', Buffer.alloc(1025), 10));
attempt('pbkdf2', () => crypto.pbkdf2Sync('a', 'b', 1, 10, 'nope'));
attempt('pbkdf2 length', () => crypto.pbkdf2Sync('a', 'b', 1, -1, 'sha1'));
crypto.pbkdf2('pass', 'salt', 2, 8, 'sha1', (error, key) => {
  console.log(error, key);
  crypto.hkdf('sha1', 'key', 'salt', 'info', 8, (failure, made) => {
    console.log(failure, made);
    crypto.scrypt('p', 's', 8, { N: 16 }, (problem, bytes) => console.log(problem, bytes));
  });
});
