'use strict';
process.on('uncaughtException', (error, origin) => console.log(error.message, origin));
process.on('exit', (code) => console.log('exit', code));
Promise.reject(new Error('rejected'));
(async () => {
  throw new Error('thrown');
})();
setImmediate(() => console.log('immediate'));
