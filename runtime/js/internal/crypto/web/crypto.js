'use strict';
const { getRandomValues, randomUUID } = require('internal/crypto/random');
module.exports = { crypto: { getRandomValues, randomUUID } };
