'use strict';
// Node's name internal/priority_queue: a binary heap, first in front. Its places count from one;
// members may be told theirs.

module.exports = class PriorityQueue {
  #isBefore;
  #tell;
  #heap = [undefined];

  constructor(compare = (a, b) => a - b, setPosition = () => {}) {
    this.#isBefore = (a, b) => compare(a, b) < 0;
    this.#tell = setPosition;
  }

  get size() { return this.#heap.length - 1; }

  #put(value, at) {
    this.#heap[at] = value;
    this.#tell(value, at);
  }

  insert(value) {
    this.#heap.push(value);
    this.percolateUp(this.size);
  }

  peek() { return this.#heap[1]; }

  peekBottom() { return this.#heap[this.size]; }

  percolateDown(at) {
    const value = this.#heap[at];
    for (let child = at * 2; child <= this.size; child = at * 2) {
      const right = child + 1;
      if (right <= this.size && this.#isBefore(this.#heap[right], this.#heap[child])) child = right;
      if (!this.#isBefore(this.#heap[child], value)) break;
      this.#put(this.#heap[child], at);
      at = child;
    }
    this.#put(value, at);
  }

  percolateUp(at) {
    const value = this.#heap[at];
    while (at > 1) {
      const above = Math.floor(at / 2);
      if (!this.#isBefore(value, this.#heap[above])) break;
      this.#put(this.#heap[above], at);
      at = above;
    }
    this.#put(value, at);
  }

  removeAt(at) {
    const last = this.#heap.pop();
    if (at > this.size) return;
    this.#put(last, at);
    if (at > 1 && this.#isBefore(last, this.#heap[Math.floor(at / 2)])) this.percolateUp(at);
    else this.percolateDown(at);
  }

  shift() {
    const value = this.peek();
    if (value !== undefined) this.removeAt(1);
    return value;
  }
};
