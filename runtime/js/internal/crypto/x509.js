'use strict';
// Certificates.

const native = require('internal/crypto/native');
const { inspect } = require('internal/inspect/inspect');
const { invalidArgType, invalidArgValue } = require('internal/errors/errors');
const { validateBoolean, validateObject, validateString } = require('internal/errors/validators');
const { bytesOf, isBytes } = require('internal/crypto/util');
const { PublicKeyObject, handleOf, isKeyObject } = require('internal/crypto/keys');

const ALWAYS_CHECK_SUBJECT = 1;
const NO_WILDCARDS = 2;
const NO_PARTIAL_WILDCARDS = 4;
const MULTI_LABEL_WILDCARDS = 8;
const SINGLE_LABEL_SUBDOMAINS = 16;
const NEVER_CHECK_SUBJECT = 32;

function subjectFlag(subject) {
  validateString(subject, 'options.subject');
  switch (subject) {
    case 'default': return 0;
    case 'always': return ALWAYS_CHECK_SUBJECT;
    case 'never': return NEVER_CHECK_SUBJECT;
    default: throw invalidArgValue('options.subject', subject);
  }
}

function flagsOf(options = {}) {
  validateObject(options, 'options');
  const { subject, wildcards = true, partialWildcards = true, multiLabelWildcards = false,
    singleLabelSubdomains = false } = options;
  let flags = subject === undefined ? 0 : subjectFlag(subject);
  for (const [value, name, isOn, flag] of [
    [wildcards, 'wildcards', false, NO_WILDCARDS],
    [partialWildcards, 'partialWildcards', false, NO_PARTIAL_WILDCARDS],
    [multiLabelWildcards, 'multiLabelWildcards', true, MULTI_LABEL_WILDCARDS],
    [singleLabelSubdomains, 'singleLabelSubdomains', true, SINGLE_LABEL_SUBDOMAINS],
  ]) {
    validateBoolean(value, `options.${name}`);
    if (value === isOn) flags |= flag;
  }
  return flags;
}

// A name may be there more than once.
function namesOf(entries) {
  const names = { __proto__: null };
  for (const [name, value] of entries) {
    if (names[name] === undefined) names[name] = value;
    else if (Array.isArray(names[name])) names[name].push(value);
    else names[name] = [names[name], value];
  }
  return names;
}

// "OCSP - URI:http://..." in lines; values that could be mistaken are in quotes.
function accessOf(text) {
  const access = { __proto__: null };
  for (const line of text.split('\n')) {
    const [, name, value] = /^([^:]*):(.*)$/s.exec(line) ?? [];
    if (name === undefined) continue;
    const plain = value.startsWith('"') ? JSON.parse(value) : value;
    (access[name] ??= []).push(plain);
  }
  return access;
}

const print = (digest) => digest.toString('hex').toUpperCase().replace(/..(?!$)/g, '$&:');

let chainOf;

class X509Certificate {
  #handle;
  #info;
  #kept = new Map();
  #issuer;

  constructor(buffer) {
    if (typeof buffer !== 'string' && !isBytes(buffer))
      throw invalidArgType('buffer', ['string', 'Buffer', 'TypedArray', 'DataView'], buffer);
    this.#handle = native.parseCertificate(bytesOf(buffer, 'buffer'));
  }

  get #fields() { return this.#info ??= native.certificateInfo(this.#handle); }

  #keep(name, make) {
    if (!this.#kept.has(name)) this.#kept.set(name, make());
    return this.#kept.get(name);
  }

  #fingerprint(digest) { return this.#keep(digest, () => print(native.hash(digest, this.raw))); }

  get subject() { return this.#fields.subject || undefined; }

  get subjectAltName() { return this.#fields.subjectAltName; }

  get issuer() { return this.#fields.issuer || undefined; }

  get issuerCertificate() { return this.#issuer; }

  // The first of the certificates in DER, each with the next one as its issuer's.
  static {
    chainOf = (list) => list.reduceRight((issuer, raw) => {
      const made = new X509Certificate(raw);
      made.#issuer = issuer;
      return made;
    }, undefined);
  }

  get infoAccess() { return this.#fields.infoAccess; }

  get validFrom() { return this.#fields.validFrom; }

  get validTo() { return this.#fields.validTo; }

  get fingerprint() { return this.#fingerprint('sha1'); }

  get fingerprint256() { return this.#fingerprint('sha256'); }

  get fingerprint512() { return this.#fingerprint('sha512'); }

  get keyUsage() { return this.#fields.keyUsage; }

  get serialNumber() { return this.#fields.serialNumber; }

  get raw() { return this.#keep('raw', () => native.certificateRaw(this.#handle)); }

  get publicKey() {
    return this.#keep('publicKey',
      () => new PublicKeyObject('public', native.certificateKey(this.#handle)));
  }

  get ca() { return this.#fields.ca; }

  toString() { return this.#keep('pem', () => native.certificatePem(this.#handle)); }

  toJSON() { return this.toString(); }

  [inspect.custom](depth, options) {
    if (depth < 0) return this;
    const shown = {};
    for (const name of ['subject', 'subjectAltName', 'issuer', 'infoAccess', 'validFrom', 'validTo',
      'fingerprint', 'fingerprint256', 'fingerprint512', 'keyUsage', 'serialNumber'])
      shown[name] = this[name];
    return `X509Certificate ${inspect(shown, { ...options,
      depth: options.depth === null ? null : options.depth - 1 })}`;
  }

  checkHost(name, options) {
    validateString(name, 'name');
    return native.checkCertificate(this.#handle, 0, name, flagsOf(options));
  }

  checkEmail(email, options) {
    validateString(email, 'email');
    return native.checkCertificate(this.#handle, 1, email, flagsOf(options));
  }

  checkIP(ip, options) {
    validateString(ip, 'ip');
    return native.checkCertificate(this.#handle, 2, ip, flagsOf(options));
  }

  checkIssued(otherCert) {
    if (!isX509Certificate(otherCert))
      throw invalidArgType('otherCert', 'X509Certificate', otherCert);
    return native.isIssuedBy(this.#handle, otherCert.#handle);
  }

  checkPrivateKey(pkey) {
    if (!isKeyObject(pkey)) throw invalidArgType('pkey', 'KeyObject', pkey);
    if (pkey.type !== 'private') throw invalidArgValue('pkey', pkey);
    return native.hasKey(this.#handle, handleOf(pkey));
  }

  verify(pkey) {
    if (!isKeyObject(pkey)) throw invalidArgType('pkey', 'KeyObject', pkey);
    if (pkey.type !== 'public') throw invalidArgValue('pkey', pkey);
    return native.isSignedBy(this.#handle, handleOf(pkey));
  }

  // Taken away again below.
  static is(value) { return typeof value === 'object' && value !== null && #handle in value; }

  toLegacyObject() {
    const info = this.#fields;
    const legacy = { subject: namesOf(info.subjectEntries), issuer: namesOf(info.issuerEntries) };
    if (info.subjectAltName !== undefined) legacy.subjectaltname = info.subjectAltName;
    if (info.infoAccess !== undefined) legacy.infoAccess = accessOf(info.infoAccess);
    legacy.ca = info.ca;
    Object.assign(legacy, this.#legacyKey());
    legacy.valid_from = this.validFrom;
    legacy.valid_to = this.validTo;
    for (const name of ['fingerprint', 'fingerprint256', 'fingerprint512'])
      legacy[name] = this[name];
    if (info.keyUsage !== undefined) legacy.ext_key_usage = info.keyUsage;
    legacy.serialNumber = info.serialNumber;
    legacy.raw = this.raw;
    return legacy;
  }

  #legacyKey() {
    const handle = native.certificateKey(this.#handle);
    const type = native.keyType(handle);
    const parts = type === 'rsa' || type === 'ec' ? native.keyParts(handle) : undefined;
    if (type === 'rsa') {
      return {
        modulus: parts.n.toString('hex').toUpperCase(),
        bits: native.keyDetails(handle).modulusLength,
        exponent: `0x${BigInt(`0x${parts.e.toString('hex')}`).toString(16)}`,
        pubkey: native.exportKey(handle, false, 'spki'),
      };
    }
    if (parts === undefined) return {};
    const made = { bits: this.#fields.bits,
      pubkey: Buffer.concat([Buffer.from([4]), parts.x, parts.y]), asn1Curve: parts.curve };
    if (this.#fields.nistCurve !== undefined) made.nistCurve = this.#fields.nistCurve;
    return made;
  }
}

const { is: isX509Certificate } = X509Certificate;
delete X509Certificate.is;

require('internal/crypto/kinds').register('X509Certificate', {
  is: isX509Certificate,
  pack: (certificate) => certificate.raw,
  revive: (raw) => new X509Certificate(raw),
});

module.exports = { X509Certificate, isX509Certificate, chainOf };
