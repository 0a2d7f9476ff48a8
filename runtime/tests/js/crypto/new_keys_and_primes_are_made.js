'use strict';
const crypto = require('crypto');
const { promisify } = require('util');

function attempt(name, work) {
  try {
    console.log(name, work());
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
}

const KINDS = [['rsa', { modulusLength: 512 }], ['rsa', { modulusLength: 512, publicExponent: 3 }],
  ['rsa-pss', { modulusLength: 768, hashAlgorithm: 'sha256', saltLength: 20 }],
  ['rsa-pss', { modulusLength: 512 }], ['ec', { namedCurve: 'P-256' }],
  ['ec', { namedCurve: 'secp256k1', paramEncoding: 'explicit' }], ['ed25519'], ['ed448'],
  ['x25519'], ['x448'], ['dh', { group: 'modp5' }]];
for (const [type, options] of KINDS) {
  const { publicKey, privateKey } = crypto.generateKeyPairSync(type, options);
  console.log(type, publicKey.type, privateKey.type, publicKey.asymmetricKeyType,
    privateKey.asymmetricKeyDetails, crypto.createPublicKey(privateKey).equals(publicKey));
}
for (const [type, options] of [['rsa', {}], ['rsa'], ['nope', {}], ['ec', { namedCurve: 'nope' }],
  ['ec', {}], ['dh', {}], ['dh', { group: 'nope' }], ['dh', { group: 'modp5', prime: 3 }],
  ['rsa', { modulusLength: 1.5 }], ['dsa', { modulusLength: -1 }], [3],
  ['rsa', { modulusLength: 512, publicKeyEncoding: 3 }],
  ['rsa', { modulusLength: 512, publicKeyEncoding: { type: 'pkcs8', format: 'pem' } }],
  ['ec', { namedCurve: 'P-256', publicKeyEncoding: { type: 'pkcs1', format: 'pem' } }],
  ['ec', { namedCurve: 'P-256', paramEncoding: 'nope' }],
  ['rsa-pss', { modulusLength: 512, hashAlgorithm: 'nope' }],
  ['rsa-pss', { modulusLength: 512, mgf1HashAlgorithm: 'nope' }]]) {
  attempt(`${type} ${JSON.stringify(options)}`, () => crypto.generateKeyPairSync(type, options));
}
for (const [type, options] of [['aes', { length: 128 }], ['hmac', { length: 100 }],
  ['aes', { length: 100 }], ['hmac', { length: 7 }], ['nope', { length: 128 }], ['aes']])
  attempt(`${type} ${options?.length}`, () => crypto.generateKeySync(type,
    options).symmetricKeySize);

console.log(crypto.checkPrimeSync(97n), crypto.checkPrimeSync(99n),
  crypto.checkPrimeSync(2n ** 521n - 1n),
  crypto.checkPrimeSync(Buffer.from([13])), crypto.checkPrimeSync(new ArrayBuffer(1)));
attempt('prime', () => {
  const prime = crypto.generatePrimeSync(64, { bigint: true, safe: true, add: 12n, rem: 11n });
  return [prime.toString(2).length, prime % 12n, crypto.checkPrimeSync(prime),
    crypto.checkPrimeSync((prime - 1n) / 2n), crypto.generatePrimeSync(33).byteLength];
});
attempt('add', () => crypto.generatePrimeSync(8, { add: 300n }));
attempt('rem', () => crypto.generatePrimeSync(8, { add: 3n, rem: 10n }));
attempt('negative', () => crypto.checkPrimeSync(-1n));
attempt('size', () => crypto.generatePrimeSync(0));
attempt('checks', () => crypto.checkPrimeSync(7n, { checks: -1 }));

(async () => {
  const pair = await promisify(crypto.generateKeyPair)('ec', { namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-128-cbc', passphrase: 'p' } });
  console.log(Object.keys(pair), pair.publicKey.length, pair.privateKey.split('\n')[0]);
  console.log((await promisify(crypto.generateKey)('aes', { length: 256 })).symmetricKeySize);
  console.log(await promisify(crypto.checkPrime)(101n),
    (await promisify(crypto.generatePrime)(32)).byteLength);
  crypto.generateKeyPair('ec', { namedCurve: 'secp224r1', publicKeyEncoding: { format: 'jwk' } },
    (error, ...keys) => console.log(error.code, error.message, keys));
})();
