'use strict';
const util = require('util');
const strip = (s) => s.replace(/\n    at .*/g, '');
class ValidationError extends Error {}
console.log(strip(util.inspect(new ValidationError('v'))));
class E2 extends Error {
  constructor(m) {
    super(m);
    this.name = 'Custom';
  }
}
console.log(strip(new E2('q').stack), '|', strip(util.inspect(new E2('m2'))));
class E3 extends Error {
  get name() {
    return 'Getter';
  }
}
console.log(strip(new E3('q').stack), '|', strip(util.inspect(new E3('m3'))));
class E4 extends TypeError {
  constructor(m) {
    super(m);
    this.name = 'E4';
  }
}
console.log(strip(util.inspect(new E4('m4'))));
const a = new Error('hello');
a.name = 'Foo';
console.log(strip(a.stack), strip(util.inspect(a)));
a.message = 'changed';
console.log(strip(util.inspect(a)));
const d = new Error('');
console.log(strip(util.inspect(d)), strip(util.inspect(new Error())));
const o = Object.create(Error.prototype);
console.log(util.inspect(o));
