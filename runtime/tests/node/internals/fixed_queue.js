'use strict';
// Node's name internal/fixed_queue: a queue in rings of a fixed size, chained from the oldest
// (tail) to the newest (head). One place of each ring stays empty, so that full is not empty.

const SIZE = 2048;
const next = (place) => (place + 1) % SIZE;

class Ring {
  constructor() {
    this.list = new Array(SIZE).fill(undefined);
    this.first = 0;
    this.end = 0;
    this.newer = null;
  }

  isEmpty() { return this.first === this.end; }

  isFull() { return next(this.end) === this.first; }

  push(item) {
    this.list[this.end] = item;
    this.end = next(this.end);
  }

  shift() {
    if (this.isEmpty()) return null;
    const item = this.list[this.first];
    this.list[this.first] = undefined;
    this.first = next(this.first);
    return item;
  }
}

class FixedQueue {
  constructor() { this.head = this.tail = new Ring(); }

  isEmpty() { return this.head === this.tail && this.head.isEmpty(); }

  push(item) {
    if (this.head.isFull()) this.head = this.head.newer = new Ring();
    this.head.push(item);
  }

  shift() {
    const item = this.tail.shift();
    if (this.tail.isEmpty() && this.tail.newer !== null) this.tail = this.tail.newer;
    return item;
  }
}

module.exports = FixedQueue;
