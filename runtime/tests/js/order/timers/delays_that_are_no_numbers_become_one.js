'use strict';
const delays = [0, 1, -5, NaN, undefined, null, 'x', '1', Infinity, true, 1.5];
for (const delay of delays) setTimeout(() => console.log(String(delay)), delay);
process.on('warning', (warning) => console.log(warning.name));
