'use strict';
process.on('warning', (warning) =>
  console.log(warning.name, warning.message, warning.code, warning.detail));
process.nextTick(() => console.log('tick before'));
process.emitWarning('one');
process.emitWarning('two', 'CustomWarning', 'C001');
process.emitWarning('three', { type: 'T', code: 'C2', detail: 'more' });
process.emitWarning(new Error('four'));
process.nextTick(() => console.log('tick'));
Promise.resolve().then(() => console.log('microtask'));
console.log('main');
