'use strict';
const { HINTS, lookup, lookupService, getDefaultResultOrder, setDefaultResultOrder } =
  require('internal/dns/lookup');
const { Resolver, bind, setServers } = require('internal/dns/resolver');

module.exports = { lookup, lookupService, Resolver, getDefaultResultOrder, setDefaultResultOrder,
  setServers, ...HINTS, ...require('internal/dns/errors').NAMES };
bind(module.exports, 'callback');
Object.defineProperty(module.exports, 'promises', {
  enumerable: true, configurable: true, get: () => require('dns/promises'),
});
