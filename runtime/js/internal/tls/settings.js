'use strict';
// What holds where a program says nothing: `tls` shows these, and lets programs change them.

const { last, isOn } = require('internal/boot/options');

const CIPHERS = ['TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256', 'TLS_AES_128_GCM_SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256', 'ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-AES256-GCM-SHA384', 'DHE-RSA-AES128-GCM-SHA256', 'ECDHE-RSA-AES128-SHA256',
  'DHE-RSA-AES128-SHA256', 'ECDHE-RSA-AES256-SHA384', 'DHE-RSA-AES256-SHA384',
  'ECDHE-RSA-AES256-SHA256', 'DHE-RSA-AES256-SHA256', 'HIGH', '!aNULL', '!eNULL', '!EXPORT',
  '!DES', '!RC4', '!MD5', '!PSK', '!SRP', '!CAMELLIA'];

function lowest() {
  for (const [option, version] of [['tls-min-v1.0', 'TLSv1'], ['tls-min-v1.1', 'TLSv1.1'],
    ['tls-min-v1.2', 'TLSv1.2'], ['tls-min-v1.3', 'TLSv1.3']]) {
    if (isOn(option)) return version;
  }
  return 'TLSv1.2';
}

module.exports = {
  DEFAULT_CIPHERS: last('tls-cipher-list') ?? CIPHERS.join(':'),
  DEFAULT_ECDH_CURVE: 'auto',
  DEFAULT_MIN_VERSION: lowest(),
  DEFAULT_MAX_VERSION: isOn('tls-max-v1.2') && !isOn('tls-max-v1.3') ? 'TLSv1.2' : 'TLSv1.3',
};
