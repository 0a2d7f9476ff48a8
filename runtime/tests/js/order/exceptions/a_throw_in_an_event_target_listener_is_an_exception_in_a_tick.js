'use strict';
process.on('uncaughtException', (error) => console.log('handler', error.message));
const target = new EventTarget();
target.addEventListener('go', () => {
  throw new Error('in a listener');
});
target.addEventListener('go', () => console.log('second listener'));
process.nextTick(() => console.log('tick before'));
console.log(target.dispatchEvent(new Event('go')));
process.nextTick(() => console.log('tick after'));
console.log('main');
