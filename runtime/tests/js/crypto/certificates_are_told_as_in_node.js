'use strict';
const crypto = require('crypto');
const pems = require('./parts/keys.js');
const { X509Certificate, Certificate } = crypto;

function attempt(name, work) {
  try {
    console.log(name, work());
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
}

const authority = new X509Certificate(pems.authority);
const leaf = new X509Certificate(Buffer.from(pems.leaf));
for (const one of [authority, leaf]) {
  console.log(one, one.ca, one.keyUsage, one.raw.length, one.publicKey, one.issuerCertificate);
  console.log(one.toLegacyObject());
  console.log(one.toString() === JSON.parse(JSON.stringify(one)), one.toString().length);
  console.log(new X509Certificate(one.raw).fingerprint256 === one.fingerprint256);
}
for (const name of ['leaf.example.org', 'LEAF.example.org', 'a.wild.example.org',
  'wild.example.org',
  'a.b.wild.example.org', 'ca.example.org'])
  console.log(name, leaf.checkHost(name), authority.checkHost(name),
    leaf.checkHost(name, { wildcards: false, subject: 'never' }));
for (const name of ['leaf@example.org', 'LEAF@example.org', 'ca@example.org'])
  console.log(name, leaf.checkEmail(name), authority.checkEmail(name));
for (const name of ['127.0.0.1', '127.0.0.2', '2001:db8::7', '2001:0db8:0::7'])
  console.log(name, leaf.checkIP(name));
console.log(leaf.checkIssued(authority), authority.checkIssued(leaf),
  authority.checkIssued(authority));
console.log(leaf.verify(authority.publicKey), leaf.verify(leaf.publicKey));
console.log(leaf.checkPrivateKey(crypto.createPrivateKey(pems.ec)),
  leaf.checkPrivateKey(crypto.createPrivateKey(pems.rsa)));
attempt('garbage', () => new X509Certificate('garbage').subject);
attempt('number', () => new X509Certificate(3));
attempt('host', () => leaf.checkHost(3));
attempt('zero', () => leaf.checkHost('a\0b'));
attempt('ip', () => leaf.checkIP('nope'));
attempt('subject', () => leaf.checkHost('a', { subject: 'nope' }));
attempt('wildcards', () => leaf.checkHost('a', { wildcards: 3 }));
attempt('issued', () => leaf.checkIssued(3));
attempt('verify', () => leaf.verify(3));
attempt('private', () => leaf.verify(crypto.createPrivateKey(pems.rsa)));
attempt('key', () => leaf.checkPrivateKey(leaf.publicKey));

console.log(Certificate.verifySpkac(pems.spkac), Certificate.verifySpkac('nope'),
  Certificate.exportChallenge(pems.spkac).toString(), Certificate.exportChallenge('nope'),
  Certificate.exportPublicKey(pems.spkac).toString(), Certificate.exportPublicKey('nope'),
  new Certificate().verifySpkac(Buffer.from(pems.spkac)));
attempt('spkac', () => Certificate.verifySpkac(3));
