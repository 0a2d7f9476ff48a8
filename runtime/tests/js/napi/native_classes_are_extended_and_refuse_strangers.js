'use strict';
const { Native } = require(`${process.env.PHASOR_TEST_ADDONS}/lifetimes.node`);

class Child extends Native {
  constructor() {
    super();
    this.own = true;
  }

  next() { return super.next() * 100; }
}

const attempt = (work) => {
  try {
    return work();
  } catch (error) {
    return `${error.name}: ${error.message} ${error.code}`;
  }
};

const object = new Native();
const child = new Child();
console.log(object.next(), object.next(), object.value, child.next(), child.own);
console.log(child instanceof Native, child instanceof Child, object instanceof Child);
console.log(Native.name, Native.length, typeof Native, Native.make() === Native);
console.log(Object.getOwnPropertyNames(Native.prototype), Object.keys(Native.prototype));
console.log(Object.getOwnPropertyDescriptor(Native.prototype, 'next').writable,
  Native.prototype.next.name, Object.getOwnPropertyDescriptor(Native, 'prototype').writable);
console.log(attempt(() => Native()));
console.log(attempt(() => Reflect.construct(Native, [], Array) instanceof Array));
for (const other of [{}, Object.create(Native.prototype), [], 1, undefined]) {
  console.log(attempt(() => Native.prototype.next.call(other)));
}
console.log(Object.prototype.toString.call(Native));
console.log(Reflect.construct(Native, [], Child).next());
