'use strict';
// Constructors that older programs call: without new, or on an object of a class of their own
// (Server.call(this), with util.inherits).

// Gives a constructor function the methods of a class.
function withMethods(construct, Methods) {
  construct.prototype = Methods.prototype;
  Object.defineProperty(construct.prototype, 'constructor',
    { value: construct, writable: true, configurable: true, enumerable: false });
  Object.setPrototypeOf(construct, Object.getPrototypeOf(Methods));
  return construct;
}

module.exports = { withMethods };
