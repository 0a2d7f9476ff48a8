'use strict';
// The certificates that the system trusts, for programs that want to read them.

const PLACES = ['/etc/ssl/certs/ca-certificates.crt', '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem', '/etc/pki/tls/cacert.pem', '/etc/ssl/cert.pem'];

let found;

function read() {
  const fs = require('fs');
  for (const file of [process.env.SSL_CERT_FILE, ...PLACES]) {
    if (!file) continue;
    try {
      const text = fs.readFileSync(file, 'latin1');
      return text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
    } catch { /* the next one */ }
  }
  return [];
}

function rootCertificates() {
  found ??= Object.freeze([...new Set(read())]);
  return found;
}

module.exports = { rootCertificates };
