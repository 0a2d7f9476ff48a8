'use strict';
process.on('unhandledRejection', (reason) => {
  throw new Error(`handler of ${reason}`);
});
process.on('uncaughtException', (error, origin) => console.log(error.message, origin));
Promise.reject(1);
Promise.reject(2);
setImmediate(() => console.log('immediate'));
