'use strict';
// Node's binding crypto.

module.exports = { ScryptJob: function ScryptJob() {}, testFipsCrypto: () => 0,
  SecureContext: require('internal/tls/context').NativeContext };
