'use strict';
// Signed public keys and challenges (SPKAC).

const native = require('internal/crypto/native');
const { bytesOf } = require('internal/crypto/util');

function verifySpkac(spkac, encoding) {
  return native.verifySpkac(bytesOf(spkac, 'spkac', encoding));
}

function exportPublicKey(spkac, encoding) {
  return native.spkacKey(bytesOf(spkac, 'spkac', encoding)) ?? '';
}

function exportChallenge(spkac, encoding) {
  return native.spkacChallenge(bytesOf(spkac, 'spkac', encoding)) ?? '';
}

// It can be called without new; its functions are on both sides.
function Certificate() {
  if (!(this instanceof Certificate)) return new Certificate();
}
Object.assign(Certificate.prototype, { verifySpkac, exportPublicKey, exportChallenge });
Object.assign(Certificate, { exportChallenge, exportPublicKey, verifySpkac });

module.exports = { Certificate };
