'use strict';
// Node's name internal/freelist: objects that are kept for the next one who needs such.

module.exports = class FreeList {
  constructor(name, max, ctor) {
    Object.assign(this, { name, max, ctor, list: [] });
  }

  alloc(...details) {
    return this.list.pop() ?? this.ctor(...details);
  }

  // Whether there was room for it.
  free(unused) {
    const room = this.list.length < this.max;
    if (room) this.list.push(unused);
    return room;
  }
};
