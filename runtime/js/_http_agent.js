'use strict';
module.exports = { Agent: require('http').Agent };
Object.defineProperty(module.exports, 'globalAgent', {
  configurable: true,
  enumerable: true,
  get: () => require('http').globalAgent,
  set(value) { require('http').globalAgent = value; },
});
