'use strict';
// Either order is legal.
const seen = [];
setTimeout(() => seen.push('timeout'), 0);
setImmediate(() => seen.push('immediate'));
process.on('exit', () => console.log(seen.sort().join()));
