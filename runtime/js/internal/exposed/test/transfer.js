'use strict';
// Node's name internal/test/transfer: classes whose objects can be cloned.

const { kClone, kDeserialize } = require('internal/messages/transfer_symbols');

class E {
  constructor(b) { this.b = b; }
}

class F extends E {
  [kClone]() { return { data: { b: this.b }, deserializeInfo: 'internal/test/transfer:F' }; }

  [kDeserialize]({ b }) { this.b = b; }
}

module.exports = { E, F };
