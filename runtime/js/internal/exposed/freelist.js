'use strict';
// Node's name internal/freelist: objects that are kept for the next one who needs such.

class FreeList {
  constructor(name, max, make) {
    this.name = name;
    this.max = max;
    this.ctor = make;
    this.list = [];
  }

  alloc(...args) {
    return this.list.length > 0 ? this.list.pop() : Reflect.apply(this.ctor, this, args);
  }

  free(object) {
    if (this.list.length >= this.max) return false;
    this.list.push(object);
    return true;
  }
}

module.exports = FreeList;
