'use strict';
const lookups = require('internal/dns/lookup');
const { PromiseResolver, bind, setServers } = require('internal/dns/resolver');
const { getDefaultResultOrder, setDefaultResultOrder } = lookups;

module.exports = {
  lookup(hostname, options) { return lookups.lookupPromise(hostname, options); },
  lookupService(address, port) {
    return lookups.lookupServicePromise.apply(undefined, arguments);
  },
  Resolver: PromiseResolver, getDefaultResultOrder, setDefaultResultOrder, setServers,
  ...require('internal/dns/errors').NAMES,
};
bind(module.exports, 'promise');
