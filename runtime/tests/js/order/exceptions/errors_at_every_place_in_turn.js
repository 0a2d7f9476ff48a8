'use strict';
const fs = require('fs');
const steps = [
  (fail) => process.nextTick(fail),
  (fail) => queueMicrotask(fail),
  (fail) => setTimeout(fail, 1),
  (fail) => setImmediate(fail),
  (fail) => fs.stat(__filename, fail),
  (fail) => Promise.resolve().then(fail),
  (fail) => require('net').createServer().listen(0, fail).unref(),
  (fail) => new (require('stream').Readable)({ read() {} }).on('close', fail).destroy(),
  (fail) => require('child_process').spawn('true').on('exit', fail),
];
let step = 0;
process.on('uncaughtException', (error, origin) => {
  console.log(error.message, origin);
  if (step < steps.length) next();
});
function next() {
  const number = step++;
  steps[number](() => {
    throw new Error(`step ${number}`);
  });
}
next();
