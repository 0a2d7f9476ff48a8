'use strict';
process.on('warning', (warning) => console.log(warning.name, warning.message));
setTimeout(() => console.log('timeout'), 2 ** 31);
