'use strict';
// Node's name internal/net.

const { isIP, isIPv4, isIPv6 } = require('net');

module.exports = {
  isIP, isIPv4, isIPv6, normalizedArgsSymbol: require('internal/net/server').normalizedArgsSymbol,
};
