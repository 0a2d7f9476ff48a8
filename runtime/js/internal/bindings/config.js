'use strict';
// Node's binding config.

module.exports = { hasOpenSSL: process.versions.openssl !== undefined, fipsMode: false,
  hasIntl: true, hasInspector: false };
