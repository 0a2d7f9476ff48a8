'use strict';
const crypto = require('crypto');
const pems = require('./parts/keys.js');
const { constants } = crypto;

function attempt(name, work) {
  try {
    console.log(name, work());
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
}

const data = Buffer.from('a message');
// Always the same bytes.
for (const digest of ['sha1', 'sha256', 'RSA-SHA512', 'sha3-256', 'md5', 'DSS1'])
  attempt(`rsa ${digest}`, () => [crypto.createSign(digest).update(data).sign(pems.rsa, 'hex'),
    crypto.createVerify(digest).update(data).verify(pems.rsa,
      crypto.sign(digest === 'DSS1' ? 'sha1' : digest, data, pems.rsa))]);
attempt('ed25519', () => crypto.sign(null, data, pems.ed25519).toString('hex'));
attempt('null', () => crypto.sign(undefined, data, pems.rsa).length);

// Others have something random in them.
for (const [name, digest, options] of [
  ['rsa', 'sha256', { padding: constants.RSA_PKCS1_PSS_PADDING }],
  ['rsa', 'sha256', { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 10 }],
  ['rsa', 'sha1', { padding: constants.RSA_PKCS1_PSS_PADDING,
    saltLength: constants.RSA_PSS_SALTLEN_DIGEST }],
  ['rsaPss', 'sha256', {}], ['rsaPss', 'sha1', {}], ['rsaPss', 'sha256', { saltLength: 5 }],
  ['ec', 'sha256', {}], ['ec', 'sha512', { dsaEncoding: 'ieee-p1363' }], ['x25519', 'sha256', {}],
]) {
  attempt(`${name} ${digest} ${JSON.stringify(options)}`, () => {
    const key = { key: pems[name], ...options };
    const made = crypto.sign(digest, data, key);
    const right = crypto.verify(digest, data, key, made);
    const streamed = crypto.createSign(digest).update('a mess').update('616765', 'hex').sign(key);
    const checked = crypto.createVerify(digest).update(data).verify(key, streamed);
    made[made.length - 1] ^= 1;
    return [options.dsaEncoding ? made.length : name !== 'ec' && made.length, right, checked,
      crypto.verify(digest, data, key, made)];
  });
}

attempt('no key', () => crypto.createSign('sha1').sign());
attempt('no digest', () => crypto.createSign('nope'));
attempt('digest', () => crypto.sign('nope', data, pems.rsa));
attempt('data', () => crypto.sign('sha1', 3, pems.rsa));
attempt('padding', () => crypto.sign('sha1', data, { key: pems.rsa, padding: 'a' }));
attempt('salt', () => crypto.sign('sha1', data, { key: pems.rsa, saltLength: 'a' }));
attempt('form', () => crypto.sign('sha1', data, { key: pems.ec, dsaEncoding: 'a' }));
attempt('signature', () => crypto.verify('sha1', data, pems.rsa, 'a'));
attempt('short p1363', () => crypto.verify('sha1', data, { key: pems.ec,
  dsaEncoding: 'ieee-p1363' }, Buffer.alloc(5)));
attempt('wrong key', () => crypto.sign('sha1', data, crypto.createPublicKey(pems.rsa)));
attempt('ed25519 digest', () => crypto.sign('sha1', data, pems.ed25519));
attempt('ed25519 stream', () => crypto.createSign('sha1').sign(pems.ed25519));
attempt('twice', () => {
  const sign = crypto.createSign('sha1').update('a');
  sign.sign(pems.rsa);
  return sign.sign(pems.rsa);
});
attempt('oaep', () => crypto.privateDecrypt(pems.rsa, crypto.publicEncrypt(pems.rsa, data)));
attempt('oaep options', () => {
  const options = { key: pems.rsa, oaepHash: 'sha256', oaepLabel: Buffer.from('label') };
  const made = crypto.publicEncrypt(options, data);
  attempt('other label', () => crypto.privateDecrypt({ ...options, oaepLabel: Buffer.from('x') },
    made));
  return crypto.privateDecrypt(options, made).toString();
});
attempt('raw', () => crypto.publicDecrypt(pems.rsa, crypto.privateEncrypt(pems.rsa,
  data)).toString());
attempt('raw bytes', () => crypto.privateEncrypt(pems.rsa, data).toString('hex'));
attempt('none', () => crypto.publicEncrypt({ key: pems.rsa, padding: constants.RSA_NO_PADDING },
  data));
attempt('too long', () => crypto.publicEncrypt(pems.rsa, Buffer.alloc(200)));
attempt('oaep hash', () => crypto.publicEncrypt({ key: pems.rsa, oaepHash: 'nope' }, data));

const sign = crypto.createSign('sha256');
sign.write('a ');
sign.end('message', () => {
  const made = sign.sign(pems.rsa, 'base64');
  crypto.sign('sha256', data, pems.rsa, (error, bytes) => {
    console.log('later', error, bytes.toString('base64') === made);
    crypto.verify('sha256', data, pems.rsa, bytes, (failure, isRight) => {
      console.log('later', failure, isRight);
      crypto.sign('sha512', data, { key: pems.ec, padding: 9 }, (problem, more) => {
        console.log('later', problem, more.length > 60);
      });
    });
  });
});
