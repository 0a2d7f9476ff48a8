'use strict';
// A weak reference that answered answers the same until ticks and promises have run.
const ref = new WeakRef({ name: 'one' });
console.log(ref.deref().name, ref.deref().name, ref instanceof WeakRef, WeakRef.length);
console.log(Object.prototype.toString.call(ref), ref.constructor === WeakRef);
class Mine extends WeakRef {
  name() { return this.deref()?.name; }
}
const mine = new Mine({ name: 'mine' });
console.log(mine.name(), mine instanceof Mine);
process.nextTick(() => console.log('tick', ref.deref()?.name));
Promise.resolve().then(() => console.log('promise', mine.name()));
for (const work of [() => WeakRef({}), () => new WeakRef(1), () => ref.deref.call({})]) {
  try {
    work();
  } catch (error) {
    console.log(error.name);
  }
}
let sum = 0;
for (let i = 0; i < 1000; i++) sum += new WeakRef({ i }).deref().i;
console.log(sum);
