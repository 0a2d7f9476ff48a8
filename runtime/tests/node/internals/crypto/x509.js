'use strict';
// Node's name internal/crypto/x509.

const { X509Certificate, isX509Certificate } = require('internal/crypto/x509');
module.exports = { X509Certificate, isX509Certificate };
