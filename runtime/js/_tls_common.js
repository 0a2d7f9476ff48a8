'use strict';
const { SecureContext, createSecureContext } = require('tls');
module.exports = { SecureContext, createSecureContext };
