'use strict';
// Node's name internal/crypto/webcrypto.

module.exports = { ...require('internal/crypto/web/crypto'),
  CryptoKey: require('internal/crypto/web/key').CryptoKey };
