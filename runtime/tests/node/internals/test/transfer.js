'use strict';
// Node's name internal/test/transfer: classes whose objects can be cloned.

const { kClone, kDeserialize } = require('internal/messages/transfer_symbols');
const { MAKERS } = require('internal/messages/transfer');

class E {
  constructor(b) { this.b = b; }
}

class F extends E {
  [kClone]() { return { data: { b: this.b }, deserializeInfo: 'internal/test/transfer:F' }; }

  [kDeserialize]({ b }) { this.b = b; }
}

MAKERS['internal/test/transfer:F'] = () => ({
  [kDeserialize](data) {
    const made = new F();
    made[kDeserialize](data);
    return made;
  },
});

module.exports = { E, F };
