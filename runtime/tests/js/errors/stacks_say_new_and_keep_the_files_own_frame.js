'use strict';
// Two frames of each, without folders.
const frames = (stack) => stack.split('\n').slice(1, 3)
  .map((line) => line.trim().replace(/(\(|at )[^ ]*\//, '$1').replace(/:\d+:\d+/, '')).join(' | ');

function Old() {
  this.stack = new Error('x').stack;
}
class New {
  constructor() {
    this.stack = new Error('x').stack;
  }
}
const show = () => {
  console.log(frames(new Old().stack));
  console.log(frames(new New().stack));
  console.log(frames(Reflect.construct(Old, []).stack));
  console.log(frames(new (Old.bind(null))().stack));
  console.log(frames(new (class extends New {})().stack).split(' | ')[0]);
};
show();
console.log(frames(new Error('x').stack).split(' | ')[0]);
Error.prepareStackTrace = (error, sites) => sites;
console.log(new Error('x').stack.length > 0);
Error.prepareStackTrace = undefined;
show();
console.log(frames(new Error('x').stack).split(' | ')[0]);
