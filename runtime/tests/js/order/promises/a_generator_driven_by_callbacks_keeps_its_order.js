'use strict';
function run(generator) {
  const { value, done } = generator.next();
  console.log('step', value, done);
  if (!done) {
    value(() => run(generator));
  }
}
function* program(name) {
  yield process.nextTick;
  console.log(name, 'after a tick');
  yield queueMicrotask;
  console.log(name, 'after a microtask');
  yield setImmediate;
  console.log(name, 'after an immediate');
}
console.log = ((log) => (...words) => {
  log(...words.map((word) => (typeof word === 'function' ? word.name : word)));
})(console.log);
run(program('first'));
run(program('second'));
