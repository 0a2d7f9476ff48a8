'use strict';
process.on('exit', (code) => console.log('exit', code));
Promise.reject('just text');
