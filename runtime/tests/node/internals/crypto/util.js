'use strict';
// Node's name internal/crypto/util.

module.exports = {
  normalizeAlgorithm: require('internal/crypto/web/algorithms').normalizeAlgorithm,
  bigIntArrayToUnsignedBigInt: (bytes) => BigInt(`0x${Buffer.from(bytes).toString('hex')}`),
};
