// compare: stdout
'use strict';
process.on('warning', (warning) => console.log(warning.name, warning.message, warning.code));
process.nextTick(() => console.log('tick before'));
process.emitWarning('one');
process.emitWarning('two', 'OwnWarning', 'W2');
process.nextTick(() => console.log('tick after'));
Promise.resolve().then(() => console.log('microtask'));
console.log('main');
