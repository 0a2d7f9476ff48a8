'use strict';
process.stdout.write('one\n', () => console.log('callback one'));
console.log('two');
process.stdout.write('three\n');
process.nextTick(() => console.log('tick'));
setImmediate(() => console.log('immediate'));
process.on('exit', () => process.stdout.write('exit\n'));
