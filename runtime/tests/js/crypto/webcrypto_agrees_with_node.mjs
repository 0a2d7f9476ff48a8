import crypto from 'crypto';
import keys from './parts/keys.js';

const { subtle } = globalThis.crypto;
const bytes = (count) => Uint8Array.from({ length: count }, (_, i) => i * 5);
const hex = (buffer) => Buffer.from(buffer).toString('hex');
const data = Buffer.from('some text');

async function attempt(name, work) {
  try {
    console.log(name, await work());
  } catch (error) {
    console.log(name, error.name, error.code, error.message, error.cause?.message);
  }
}

for (const name of ['SHA-1', 'sha-256', 'SHA-384', 'SHA-512', 'SHA-3', 'MD5'])
  await attempt(name, async () => hex(await subtle.digest(name, data)));

const CIPHERS = [['AES-CBC', { iv: bytes(16) }], ['AES-CTR', { counter: bytes(16), length: 64 }],
  ['AES-CTR', { counter: new Uint8Array(16).fill(255), length: 1 }],
  ['AES-GCM', { iv: bytes(12) }], ['AES-GCM', { iv: bytes(16), tagLength: 96,
    additionalData: data }], ['AES-GCM', { iv: bytes(12), tagLength: 97 }],
  ['AES-CBC', { iv: bytes(15) }], ['AES-CTR', { counter: bytes(16), length: 0 }], ['AES-GCM', {}]];
for (const [name, more] of CIPHERS) {
  await attempt(name, async () => {
    const key = await subtle.importKey('raw', bytes(16), name, true, ['encrypt', 'decrypt']);
    const text = more.length === 1 ? bytes(32) : bytes(40);
    const made = await subtle.encrypt({ name, ...more }, key, text);
    const back = await subtle.decrypt({ name, ...more }, key, made);
    await attempt('changed', () => subtle.decrypt({ name, ...more }, key, bytes(3)));
    return [hex(made), hex(back) === hex(text)];
  });
}

for (const [name, hash] of [['HMAC', 'SHA-1'], ['HMAC', 'SHA-512']]) {
  const key = await subtle.importKey('raw', bytes(20), { name, hash }, true, ['sign', 'verify']);
  const made = await subtle.sign(name, key, data);
  console.log(key, hex(made), await subtle.verify(name, key, made, data),
    await subtle.verify(name, key, made, bytes(3)), await subtle.exportKey('jwk', key));
}

const der = (pem, type) => crypto.createPrivateKey(pem).export({ format: 'der', type });
const spki = (pem) => crypto.createPublicKey(pem).export({ format: 'der', type: 'spki' });
const PAIRS = [['RSASSA-PKCS1-v1_5', { hash: 'SHA-256' }, keys.rsa, {}],
  ['RSA-PSS', { hash: 'SHA-1' }, keys.rsa, { saltLength: 10 }],
  ['ECDSA', { namedCurve: 'P-256' }, keys.ec, { hash: 'SHA-384' }], ['Ed25519', {}, keys.ed25519,
    {}]];
for (const [name, more, pem, how] of PAIRS) {
  await attempt(name, async () => {
    const own = await subtle.importKey('pkcs8', der(pem, 'pkcs8'), { name, ...more }, true,
      ['sign']);
    const open = await subtle.importKey('spki', spki(pem), { name, ...more }, true, ['verify']);
    const made = await subtle.sign({ name, ...how }, own, data);
    const jwk = await subtle.exportKey('jwk', open);
    const again = await subtle.importKey('jwk', jwk, { name, ...more }, true, ['verify']);
    await attempt('raw', async () => hex(await subtle.exportKey('raw', open)));
    await attempt('usage', () => subtle.sign({ name, ...how }, open, data));
    return [own, jwk, made.byteLength, await subtle.verify({ name, ...how }, again, made, data),
      hex(await subtle.exportKey('pkcs8', own)) === hex(der(pem, 'pkcs8'))];
  });
}

const base = await subtle.importKey('raw', data, 'PBKDF2', false, ['deriveKey', 'deriveBits']);
const info = { salt: bytes(8), info: bytes(4), hash: 'SHA-256' };
const hkdf = await subtle.importKey('raw', data, 'HKDF', false, ['deriveBits']);
await attempt('pbkdf2', async () => hex(await subtle.deriveBits({ name: 'PBKDF2', iterations: 5,
  ...info }, base, 136)));
await attempt('hkdf', async () => hex(await subtle.deriveBits({ name: 'HKDF', ...info }, hkdf,
  256)));
await attempt('no length', () => subtle.deriveBits({ name: 'HKDF', ...info }, hkdf, null));
await attempt('odd length', () => subtle.deriveBits({ name: 'HKDF', ...info }, hkdf, 3));
await attempt('usage', () => subtle.deriveKey({ name: 'HKDF', ...info }, hkdf,
  { name: 'AES-GCM', length: 128 }, true, ['encrypt']));
await attempt('derived', async () => subtle.exportKey('jwk', await subtle.deriveKey(
  { name: 'PBKDF2', iterations: 5, ...info }, base, { name: 'HMAC', hash: 'SHA-1', length: 64 },
  true, ['sign'])));

for (const [name, more] of [['ECDH', { namedCurve: 'P-384' }], ['X25519', {}]]) {
  const pair = () => subtle.generateKey({ name, ...more }, true, ['deriveBits', 'deriveKey']);
  const [one, two] = [await pair(), await pair()];
  const bits = (a, b, length) => subtle.deriveBits({ name, public: b.publicKey }, a.privateKey,
    length);
  console.log(name, hex(await bits(one, two, null)) === hex(await bits(two, one, null)),
    (await bits(one, two, 128)).byteLength, one.publicKey.usages, one.privateKey.usages);
  await attempt('too long', () => bits(one, two, 1000));
}

await attempt('wrapped', async () => {
  const key = await subtle.importKey('raw', bytes(24), 'AES-CBC', true, ['encrypt']);
  const wrapper = await subtle.importKey('raw', bytes(16), 'AES-KW', true, ['wrapKey',
    'unwrapKey']);
  const raw = await subtle.wrapKey('raw', key, wrapper, 'AES-KW');
  const jwk = await subtle.wrapKey('jwk', key, wrapper, 'AES-KW');
  const back = await subtle.unwrapKey('jwk', jwk, wrapper, 'AES-KW', 'AES-CBC', true, ['encrypt']);
  return [hex(raw), jwk.byteLength, hex(await subtle.exportKey('raw', back))];
});
await attempt('oaep', async () => {
  const { publicKey, privateKey } = await subtle.generateKey({ name: 'RSA-OAEP',
    modulusLength: 1024,
    publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-1' }, false, ['encrypt', 'decrypt']);
  const made = await subtle.encrypt({ name: 'RSA-OAEP', label: data }, publicKey, bytes(9));
  console.log(publicKey, privateKey);
  return hex(await subtle.decrypt({ name: 'RSA-OAEP', label: data }, privateKey, made));
});
await attempt('unknown', () => subtle.generateKey('nope', true, []));
await attempt('usages', () => subtle.generateKey({ name: 'AES-GCM', length: 128 }, true, []));
await attempt('length', () => subtle.generateKey({ name: 'AES-GCM', length: 1 }, true,
  ['encrypt']));
await attempt('curve', () => subtle.generateKey({ name: 'ECDSA', namedCurve: 'x' }, true,
  ['sign']));
await attempt('arguments', () => subtle.digest('SHA-1'));
await attempt('bytes', () => subtle.digest('SHA-1', 'text'));
await attempt('format', () => subtle.importKey('x', data, 'HKDF', false, ['deriveBits']));
await subtle.exportKey('raw', base).catch((error) => console.log('secret', error.message));
await attempt('this', () => Reflect.apply(subtle.digest, {}, ['SHA-1', data]));
await attempt('constructor', () => new globalThis.CryptoKey());
const key = await subtle.importKey('raw', bytes(16), 'AES-CBC', false, ['encrypt']);
key.usages.push('decrypt');
key.algorithm.name = 'AES-GCM';
await attempt('changed', () => subtle.decrypt({ name: 'AES-CBC', iv: bytes(16) }, key, bytes(16)));
console.log(crypto.KeyObject.from(key).export(), Object.keys(crypto.webcrypto));
console.log(crypto.webcrypto.getRandomValues(new Uint8Array(3)).length);
await attempt('floats', () => globalThis.crypto.getRandomValues(new Float64Array(1)));
await attempt('too many', () => globalThis.crypto.getRandomValues(new Uint8Array(65537)));
