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

const print = (value) => (Buffer.isBuffer(value) ? crypto.hash('sha1', value) : value);

for (const name of ['rsa', 'rsaPss', 'ec', 'ed25519', 'x25519']) {
  const key = crypto.createPrivateKey(pems[name]);
  const open = crypto.createPublicKey(key);
  console.log(name, key, key.asymmetricKeyType, key.asymmetricKeyDetails, open.type, key.type);
  for (const type of ['pkcs1', 'spki', 'pkcs8', 'sec1', undefined]) {
    for (const format of ['pem', 'der', 'jwk', undefined]) {
      if (format === 'jwk' && type !== undefined) continue;
      attempt(`${name} public ${type} ${format}`, () => print(open.export({ type, format })));
      attempt(`${name} private ${type} ${format}`, () => print(key.export({ type, format })));
    }
  }
  attempt(`${name} back`, () => {
    const jwk = key.export({ format: 'jwk' });
    return [crypto.createPrivateKey({ key: jwk, format: 'jwk' }).equals(key),
      crypto.createPublicKey({ key: jwk, format: 'jwk' }).equals(open)];
  });
  for (const [type, format, cipher] of [['pkcs8', 'pem', 'aes-256-cbc'],
    ['pkcs8', 'der', 'aes-128-cbc'], ['pkcs1', 'pem', 'aes-128-cbc'], ['sec1', 'pem', 'des3']]) {
    attempt(`${name} encrypted ${type} ${format}`, () => {
      const text = key.export({ type, format, cipher, passphrase: 'secret' });
      const read = (passphrase) => crypto.createPrivateKey({ key: text, format, type, passphrase });
      // Why depends on the bytes that come out.
      require('assert').throws(() => read('other'));
      return [format === 'pem' && text.split('\n').slice(0, 2).map((line) => line.slice(0, 30)
        .replace(/^MI.*/, '')), read('secret').equals(key),
          read(Buffer.from('secret')).equals(key)];
    });
  }
}

const key = crypto.createPrivateKey(pems.rsa);
const open = crypto.createPublicKey(pems.rsa);
const secret = crypto.createSecretKey('0123', 'hex');
console.log(secret, secret.symmetricKeySize, secret.export(), secret.export({ format: 'jwk' }));
console.log(open.equals(crypto.createPublicKey(pems.authority)), open.equals(key),
  secret.equals(crypto.createSecretKey(Buffer.from([1, 35]))), secret.equals(open));
console.log(crypto.createPublicKey(pems.leaf).asymmetricKeyDetails);
attempt('garbage', () => crypto.createPrivateKey('garbage'));
attempt('public garbage', () => crypto.createPublicKey('garbage'));
attempt('der garbage', () => crypto.createPublicKey({ key: Buffer.alloc(9), format: 'der',
  type: 'spki' }));
attempt('number', () => crypto.createPrivateKey(3));
attempt('object', () => crypto.createPublicKey({ key: 3 }));
attempt('key', () => crypto.createPrivateKey(key));
attempt('public', () => crypto.createPublicKey(open));
attempt('secret', () => crypto.createPublicKey(secret));
attempt('secret number', () => crypto.createSecretKey(3));
attempt('constructor', () => new crypto.KeyObject('secret'));
attempt('type', () => new crypto.KeyObject('other'));
attempt('from', () => crypto.KeyObject.from(3));
attempt('equals', () => key.equals(3));
attempt('no options', () => key.export());
attempt('cipher', () => key.export({ type: 'pkcs8', format: 'pem', passphrase: 'a' }));
attempt('passphrase', () => key.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-128-cbc' }));
attempt('unknown cipher', () => key.export({ type: 'pkcs8', format: 'pem', cipher: 'nope',
  passphrase: 'a' }));
attempt('jwk cipher', () => key.export({ format: 'jwk', cipher: 'nope', passphrase: 'a' }));
attempt('kty', () => crypto.createPublicKey({ key: { kty: 'x' }, format: 'jwk' }));
attempt('crv', () => crypto.createPublicKey({ key: { kty: 'EC', crv: 'x' }, format: 'jwk' }));
attempt('point', () => crypto.createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' },
  format: 'jwk' }));
attempt('okp', () => crypto.createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: 'AA' },
  format: 'jwk' }));
attempt('format', () => crypto.createPublicKey({ key: pems.rsa, format: 'x' }));
attempt('der type', () => crypto.createPublicKey({ key: Buffer.alloc(2), format: 'der' }));
