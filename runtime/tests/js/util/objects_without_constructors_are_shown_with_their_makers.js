'use strict';
// A function whose prototype has no prototype still names what it makes (cookie and others have
// such objects).

const util = require('util');

const C = function () {};
C.prototype = Object.create(null);
const made = new C();
made.a = 1;
console.log(new C(), [new C()], made);
class K {}
Object.setPrototypeOf(K.prototype, null);
delete K.prototype.constructor;
console.log(new K());
console.log(Object.create(Object.create(null)), Object.create(null));
console.log(util.inspect(made, { depth: -1 }), util.inspect(made, { showHidden: true }));
function F() {}
F.prototype = { shared: 1 };
console.log(new F(), Reflect.ownKeys(F.prototype), Reflect.ownKeys(C.prototype));
console.log(structuredClone(F.prototype), { ...F.prototype }, JSON.stringify(F.prototype));
const frozen = Object.freeze(Object.create(null));
function G() {}
G.prototype = frozen;
console.log(new G(), Object.isFrozen(frozen), Reflect.ownKeys(frozen));
class Foo { constructor() { this.a = 1; } }
class Bar extends Foo {}
const orphan = (object) => util.inspect(Object.setPrototypeOf(object, null));
console.log(orphan(new Foo()), orphan(new Bar()), orphan({ b: 1 }), orphan(new Date(0)));
console.log(orphan(new Uint8Array(2)), Reflect.ownKeys(Object.setPrototypeOf(new Foo(), null)));
