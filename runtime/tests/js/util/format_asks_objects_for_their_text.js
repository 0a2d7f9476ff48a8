'use strict';
// "%s" shows what Symbol.toPrimitive gives, also that of a prototype, and dates as inspect does.

const { format } = require('util');

class Told { [Symbol.toPrimitive](hint) { return hint; } }
class Below extends Told {}
console.log(format('%s|%s|%s', new Told(), new Below(), new Date(0)));
console.log(format('%s', { [Symbol.toPrimitive]: () => 'own' }));
console.log(format('%s', { __proto__: null, [Symbol.toPrimitive]: () => 'alone' }));
class Both {
  toString() { return 'toString'; }
  [Symbol.toPrimitive]() { return 'toPrimitive'; }
}
console.log(format('%s', new Both()), format('%s', {}), format('%s', [1]));
