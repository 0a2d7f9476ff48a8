'use strict';
// Node's binding performance: how many observers there are of what the runtime itself measures.

const { observers } = require('internal/performance/entry');

const TYPES = ['gc', 'http', 'http2', 'net', 'dns'];
const observerCounts = {};
TYPES.forEach((type, i) => Object.defineProperty(observerCounts, i, {
  enumerable: true,
  get: () => [...observers].filter((one) => one.wants(type)).length,
}));

module.exports = { observerCounts };
