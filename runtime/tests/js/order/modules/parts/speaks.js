'use strict';
console.log('module', require.main === module);
process.nextTick(() => console.log('tick of the module'));
Promise.resolve().then(() => console.log('microtask of the module'));
