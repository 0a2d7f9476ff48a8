'use strict';
const dns = require('dns');
const { promisify } = require('util');
for (const name of ['lookup', 'lookupService', 'resolve', 'resolve4', 'resolve6', 'reverse']) {
  exports[name] = promisify(dns[name]);
}
exports.getServers = dns.getServers;
exports.setServers = dns.setServers;
exports.getDefaultResultOrder = dns.getDefaultResultOrder;
exports.setDefaultResultOrder = dns.setDefaultResultOrder;
