'use strict';
module.exports = { isCryptoKey: () => false };
