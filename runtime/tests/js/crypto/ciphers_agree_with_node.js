'use strict';
const crypto = require('crypto');

const NAMES = ['aes-128-cbc', 'aes-192-cbc', 'aes-256-cbc', 'aes-128-ecb', 'aes-256-ctr',
  'aes-128-cfb', 'aes-128-cfb8', 'aes-128-ofb', 'des-ede3-cbc', 'camellia-128-cbc', 'aria-256-cbc',
  'chacha20', 'aes-128-xts', 'id-aes128-wrap', 'id-aes256-wrap-pad', 'AES256'];
const AUTHENTICATED = ['aes-128-gcm', 'aes-256-gcm', 'aes-128-ccm', 'aes-256-ocb',
  'chacha20-poly1305', 'id-aes192-GCM', 'aria-128-gcm'];
const bytes = (count) => Buffer.from(Array.from({ length: count }, (_, i) => i * 7 & 255));
const text = bytes(48);

function attempt(name, work) {
  try {
    console.log(name, work());
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
}

for (const name of NAMES) {
  attempt(name, () => {
    const info = crypto.getCipherInfo(name);
    const key = bytes(info.keyLength);
    const iv = info.ivLength ? bytes(info.ivLength) : null;
    const cipher = crypto.createCipheriv(name, key, iv);
    const made = cipher.update(text, undefined, 'hex') + cipher.final('hex');
    const decipher = crypto.createDecipheriv(name, key, iv);
    const back = Buffer.concat([decipher.update(made, 'hex'), decipher.final()]);
    return [info, made, back.equals(text)];
  });
}

for (const name of AUTHENTICATED) {
  attempt(name, () => {
    const info = crypto.getCipherInfo(name);
    const key = bytes(info.keyLength);
    const iv = bytes(12);
    const options = { authTagLength: 16 };
    const cipher = crypto.createCipheriv(name, key, iv, options);
    cipher.setAAD(Buffer.from('more'), { plaintextLength: text.length });
    const made = Buffer.concat([cipher.update(text), cipher.final()]);
    const tag = cipher.getAuthTag();
    const open = (data, mark) => {
      const decipher = crypto.createDecipheriv(name, key, iv, options);
      decipher.setAuthTag(mark);
      decipher.setAAD(Buffer.from('more'), { plaintextLength: text.length });
      return Buffer.concat([decipher.update(data), decipher.final()]);
    };
    console.log(made.toString('hex'), tag.toString('hex'), open(made, tag).equals(text));
    made[3] ^= 1;
    return open(made, tag);
  });
}

const key = bytes(16);
attempt('unknown', () => crypto.createCipheriv('nope', key, key));
attempt('key', () => crypto.createCipheriv('aes-128-cbc', bytes(15), key));
attempt('iv', () => crypto.createCipheriv('aes-128-cbc', key, bytes(15)));
attempt('no iv', () => crypto.createCipheriv('aes-128-cbc', key, null));
attempt('undefined iv', () => crypto.createCipheriv('aes-128-cbc', key));
attempt('tag length', () => crypto.createCipheriv('aes-128-gcm', key, key, { authTagLength: 3 }));
attempt('tag option', () => crypto.createCipheriv('aes-128-gcm', key, key, { authTagLength: 'a' }));
attempt('ccm', () => crypto.createCipheriv('aes-128-ccm', key, bytes(12)));
attempt('ccm iv', () => crypto.createCipheriv('aes-128-ccm', key, key, { authTagLength: 8 }));
attempt('empty iv', () => crypto.createCipheriv('aes-128-gcm', key, ''));
attempt('early tag', () => crypto.createCipheriv('aes-128-gcm', key, key).getAuthTag());
attempt('no tag', () => crypto.createDecipheriv('aes-128-gcm', key, key).final());
attempt('wrong tag', () => crypto.createDecipheriv('aes-128-gcm', key, key).setAuthTag(bytes(3)));
attempt('aad', () => crypto.createCipheriv('aes-128-cbc', key, key).setAAD(key));
attempt('twice', () => {
  const cipher = crypto.createCipheriv('aes-128-cbc', key, key);
  cipher.final();
  return cipher.final();
});
attempt('late', () => {
  const cipher = crypto.createCipheriv('aes-128-cbc', key, key);
  cipher.final();
  return cipher.update('a');
});
attempt('unpadded', () => crypto.createCipheriv('aes-128-cbc', key, key).setAutoPadding(false)
  .update('abc', 'utf8', 'hex'));
attempt('rest', () => {
  const cipher = crypto.createCipheriv('aes-128-cbc', key, key).setAutoPadding(false);
  cipher.update('abc');
  return cipher.final();
});
attempt('bad text', () => {
  const decipher = crypto.createDecipheriv('aes-128-cbc', key, key);
  decipher.update(bytes(32));
  return decipher.final();
});
attempt('encodings', () => {
  const cipher = crypto.createCipheriv('aes-128-cbc', key, key);
  return [cipher.update('é'.repeat(20), 'utf8', 'base64'), cipher.final('base64')];
});
attempt('change', () => {
  const cipher = crypto.createCipheriv('aes-128-cbc', key, key);
  cipher.update('a', 'utf8', 'hex');
  return cipher.final('base64');
});
attempt('info', () => [crypto.getCipherInfo('nope'), crypto.getCipherInfo('aes-128-cbc',
  { keyLength: 12 }), crypto.getCipherInfo('aes-128-gcm', { ivLength: 20 }),
crypto.getCipherInfo('aes-128-ccm', { ivLength: 1 }), crypto.getCipherInfo('aes-128-cbc').nid]);

const cipher = crypto.createCipheriv('aes-256-gcm', bytes(32), bytes(12));
const parts = [];
cipher.on('data', (part) => parts.push(part));
cipher.on('end', () => console.log('stream', Buffer.concat(parts).toString('hex'),
  cipher.getAuthTag().toString('hex')));
cipher.write('one');
cipher.end('two');
