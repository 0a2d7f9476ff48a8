'use strict';
// Secure contexts: keys, certificates, protocols and ciphers that connections share.

const { withCode, withPlainCode, invalidArgType, invalidArgValue } =
  require('internal/errors/errors');
const { validateString, validateInt32, validateBuffer } = require('internal/errors/validators');
const settings = require('internal/tls/settings');

// The library comes with the first context: programs that only load the module do without.
let loaded;
function native() {
  if (loaded === undefined) {
    binding('crypto'); // sets OpenSSL up: where chance comes from, and that it stays to the end
    loaded = binding('tls');
    warnOfExtra(loaded);
  }
  return loaded;
}

function warnOfExtra({ loadExtra }) {
  const file = process.env.NODE_EXTRA_CA_CERTS;
  const failure = file ? loadExtra(file) : undefined;
  if (failure !== undefined) {
    process.emitWarning(`Ignoring extra certs from \`${file}\`, load failed: ${failure.message}`);
  }
}

const VERSIONS = { 'TLSv1': 0x301, 'TLSv1.1': 0x302, 'TLSv1.2': 0x303, 'TLSv1.3': 0x304 };
const SERVER_PREFERENCE = 0x400000;
const NO_TICKET = 0x4000;
const NO_RENEGOTIATION = 2 ** 30;

function versionNumber(which, version, otherwise) {
  const found = VERSIONS[version ?? otherwise];
  if (found !== undefined) return found;
  throw withCode(TypeError, 'ERR_TLS_INVALID_PROTOCOL_VERSION',
    `${JSON.stringify(version)} is not a valid ${which} TLS protocol version`);
}

// The names of OpenSSL's old functions, each for one version or for all.
function methodVersions(name) {
  const plain = String(name).replace(/_(client|server)_method$/, '_method');
  switch (plain) {
    case 'TLS_method': return [0, VERSIONS['TLSv1.3']];
    case 'SSLv23_method': {
      return [VERSIONS[settings.DEFAULT_MIN_VERSION], VERSIONS['TLSv1.2']];
    }
    case 'TLSv1_method': return [VERSIONS.TLSv1, VERSIONS.TLSv1];
    case 'TLSv1_1_method': return [VERSIONS['TLSv1.1'], VERSIONS['TLSv1.1']];
    case 'TLSv1_2_method': return [VERSIONS['TLSv1.2'], VERSIONS['TLSv1.2']];
    default: {
      const old = /^(SSLv[23])_method$/.exec(plain);
      throw withCode(TypeError, 'ERR_TLS_INVALID_PROTOCOL_METHOD',
        old ? `${old[1]} methods disabled` : `Unknown method: ${name}`);
    }
  }
}

function versions(options) {
  const { secureProtocol, minVersion, maxVersion } = options;
  if (secureProtocol) {
    for (const version of [minVersion, maxVersion]) {
      if (version != null) {
        throw withCode(TypeError, 'ERR_TLS_PROTOCOL_VERSION_CONFLICT',
          `TLS protocol version ${JSON.stringify(version)} conflicts with secureProtocol ${
            JSON.stringify(secureProtocol)}`);
      }
    }
    return methodVersions(secureProtocol);
  }
  return [versionNumber('minimum', minVersion, settings.DEFAULT_MIN_VERSION),
    versionNumber('maximum', maxVersion, settings.DEFAULT_MAX_VERSION)];
}

// Those of TLS 1.3 have names of their own, and a setting of their own.
function splitCiphers(text) {
  const suites = [];
  const others = [];
  for (const name of text.split(':')) {
    if (name.startsWith('TLS_')) suites.push(name);
    else if (name.startsWith('!TLS_')) continue; // those that are not named are out anyway
    else if (name !== '') others.push(name);
  }
  return { suites: suites.join(':'), others: others.join(':') };
}

function readCiphers(options, range) {
  const { ciphers } = options;
  if (ciphers !== undefined && ciphers !== null) validateString(ciphers, 'options.ciphers');
  const { suites, others } = splitCiphers(ciphers || settings.DEFAULT_CIPHERS);
  if (others === '' && range[0] < VERSIONS['TLSv1.3'] && range[1] > VERSIONS['TLSv1.2']) {
    range[0] = VERSIONS['TLSv1.3'];
  }
  return { suites, others };
}

function checkKeyOrCert(name, value) {
  if (typeof value !== 'string' && !ArrayBuffer.isView(value)) {
    throw invalidArgType(name, ['string', 'Buffer', 'TypedArray', 'DataView'], value);
  }
}

function each(value, work) {
  if (Array.isArray(value)) for (const one of value) work(one);
  else work(value);
}

function setKey(context, given, passphrase) {
  checkKeyOrCert('options.key', given);
  if (passphrase !== undefined && passphrase !== null) {
    validateString(passphrase, 'options.passphrase');
  }
  native().setKey(context, given, passphrase);
}

function setIdentity(context, { key, cert, passphrase }) {
  if (cert) {
    each(cert, (one) => {
      checkKeyOrCert('options.cert', one);
      native().setCertificate(context, one);
    });
  }
  if (key) {
    const isList = Array.isArray(key);
    each(key, (one) => {
      const pem = isList && one?.pem !== undefined ? one.pem : one;
      setKey(context, pem, one?.passphrase !== undefined ? one.passphrase : passphrase);
    });
  }
}

function setTrust(context, { ca, crl }) {
  if (ca) {
    each(ca, (one) => {
      checkKeyOrCert('options.ca', one);
      native().addCA(context, one);
    });
  } else {
    native().useRoots(context);
  }
  if (!crl) return;
  each(crl, (one) => {
    checkKeyOrCert('options.crl', one);
    failAs('Failed to parse CRL', () => native().addCrl(context, one));
  });
}

function failAs(message, work) {
  try {
    work();
  } catch (error) {
    if (error.code === 'ERR_INVALID_ARG_TYPE') throw error;
    throw withPlainCode(Error, 'ERR_CRYPTO_OPERATION_FAILED', message);
  }
}

function setBundles(context, { pfx, passphrase }) {
  if (!pfx) return;
  each(pfx, (one) => {
    const bytes = one.buf ? one.buf : one;
    const pass = one.passphrase || passphrase;
    try {
      native().setBundle(context, typeof bytes === 'string' ? Buffer.from(bytes) : bytes,
        pass ? String(pass) : undefined);
    } catch (error) {
      if (error.reason === 'unsupported') {
        throw withCode(Error, 'ERR_CRYPTO_UNSUPPORTED_OPERATION', 'Unsupported PKCS12 PFX data');
      }
      throw error.reason ? new Error(error.reason) : error;
    }
  });
}

function setExchange(context, { ecdhCurve = settings.DEFAULT_ECDH_CURVE, dhparam, sigalgs }) {
  if (sigalgs !== undefined && sigalgs !== null) {
    validateString(sigalgs, 'options.sigalgs');
    if (sigalgs === '') throw invalidArgValue('options.sigalgs', sigalgs);
    native().setSignatures(context, sigalgs);
  }
  validateString(ecdhCurve, 'options.ecdhCurve');
  failAs('Failed to set ECDH curve', () => native().setCurves(context, ecdhCurve));
  if (dhparam === undefined || dhparam === null) return;
  if (dhparam === 'auto') {
    native().setDh(context, undefined);
    return;
  }
  checkKeyOrCert('options.dhparam', dhparam);
  let bits;
  try {
    bits = native().setDh(context, dhparam);
  } catch { /* what is no parameter is passed over, as in Node */ }
  if (bits !== undefined) {
    throw withCode(Error, 'ERR_INVALID_ARG_VALUE', 'DH parameter is less than 1024 bits');
  }
  if (dhparam.length < 400) {
    process.emitWarning('DH parameter is less than 2048 bits', 'SecurityWarning');
  }
}

function refuseEngines({ clientCertEngine, privateKeyEngine, privateKeyIdentifier }) {
  const check = (name, value) => {
    if (value !== undefined && value !== null && typeof value !== 'string') {
      throw invalidArgType(`options.${name}`, ['string', 'null', 'undefined'], value);
    }
  };
  check('clientCertEngine', clientCertEngine);
  check('privateKeyEngine', privateKeyEngine);
  check('privateKeyIdentifier', privateKeyIdentifier);
  if (typeof clientCertEngine === 'string' ||
      (typeof privateKeyEngine === 'string' && typeof privateKeyIdentifier === 'string')) {
    throw withCode(Error, 'ERR_CRYPTO_CUSTOM_ENGINE_NOT_SUPPORTED',
      'Custom engines not supported by this OpenSSL');
  }
}

function setSessions(context, { sessionIdContext, ticketKeys, sessionTimeout }) {
  if (sessionIdContext !== undefined && sessionIdContext !== null) {
    validateString(sessionIdContext, 'options.sessionIdContext');
    native().setSessionId(context, sessionIdContext);
  }
  if (ticketKeys !== undefined && ticketKeys !== null) {
    validateBuffer(ticketKeys, 'options.ticketKeys');
    if (ticketKeys.byteLength !== 48) {
      throw invalidArgValue('options.ticketKeys', ticketKeys.byteLength,
        'must be exactly 48 bytes');
    }
    native().ticketKeys(context, ticketKeys);
  }
  if (sessionTimeout !== undefined && sessionTimeout !== null) {
    validateInt32(sessionTimeout, 'options.sessionTimeout', 0);
    native().setSessionTimeout(context, sessionTimeout);
  }
}

class SecureContext {
  constructor(secureProtocol, secureOptions, minVersion, maxVersion) {
    this.context = new NativeContext(versions({ secureProtocol, minVersion, maxVersion }));
    if (secureOptions) {
      if (typeof secureOptions !== 'number') {
        throw invalidArgType('secureOptions', 'number', secureOptions);
      }
      native().setOptions(this.context.box, secureOptions >>> 0);
    }
  }
}

// What Node's tests and a few programs find at `context`.
class NativeContext {
  #external = null;

  constructor([lowest, highest]) {
    const box = native().newContext(lowest, highest);
    Object.defineProperty(this, 'box', { value: box, enumerable: false });
    Object.defineProperty(this, 'range', { value: [lowest, highest], enumerable: false });
  }

  addCACert(pem) { native().addCA(this.box, pem); }

  addRootCerts() { native().useRoots(this.box); }

  setCert(pem) { native().setCertificate(this.box, pem); }

  setKey(pem, passphrase) { native().setKey(this.box, pem, passphrase); }

  getTicketKeys() { return native().ticketKeys(this.box); }

  setTicketKeys(keys) { native().ticketKeys(this.box, keys); }

  getCertificate() { return native().ownCertificate(this.box); }

  getIssuer() { return native().ownIssuer(this.box); }

  getMinProto() { return this.range[0]; }

  getMaxProto() { return this.range[1]; }

  setOptions(flags) {
    if (this?.box === undefined) throw new TypeError('Illegal invocation');
    native().setOptions(this.box, flags);
  }

  get _external() { return this.#external; }

  close() {}
}
Object.defineProperty(NativeContext, 'name', { value: 'SecureContext' });

function createSecureContext(options = {}) {
  if (options === null || typeof options !== 'object') options = {};
  let { secureOptions = 0 } = options;
  if (options.honorCipherOrder) secureOptions |= SERVER_PREFERENCE;
  const range = versions(options);
  const ciphers = readCiphers(options, range);
  const made = new SecureContext('TLS_method', secureOptions);
  made.context = new NativeContext(range);
  if (secureOptions) native().setOptions(made.context.box, secureOptions >>> 0);
  const { box } = made.context;
  if (options.allowPartialTrustChain) native().allowPartialChains(box);
  if (options.ciphers !== undefined && options.ciphers !== null && options.ciphers !== '') {
    if (ciphers.suites !== '') setSuites(box, ciphers.suites);
    if (ciphers.others !== '') native().setCiphers(box, ciphers.others);
  } else {
    native().setSuites(box, ciphers.suites);
    native().setCiphers(box, ciphers.others);
  }
  setTrust(box, options);
  setIdentity(box, options);
  setExchange(box, options);
  setBundles(box, options);
  refuseEngines(options);
  setSessions(box, options);
  return made;
}

function setSuites(box, suites) {
  try {
    native().setSuites(box, suites);
  } catch (error) {
    throw Object.assign(new Error('error:0A0000B9:SSL routines::no cipher match'), {
      library: error.library ?? 'SSL routines', reason: 'no cipher match',
      code: 'ERR_SSL_NO_CIPHER_MATCH',
    });
  }
}

module.exports = { native, SecureContext, createSecureContext, NativeContext,
  NO_TICKET, NO_RENEGOTIATION };
