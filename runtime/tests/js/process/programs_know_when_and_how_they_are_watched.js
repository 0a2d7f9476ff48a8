'use strict';
// The port of the debugger, the time of the start in workers, and the end of the inspector.
const { Worker } = require('worker_threads');

for (const value of [0, '1024', 65535, '', NaN, {}, -1, 80, '65536', true]) {
  try {
    process.debugPort = value;
    console.log(process.debugPort);
  } catch (error) {
    console.log(error.name, error.message);
  }
}
try {
  process.debugPort = Symbol('port');
} catch (error) {
  console.log(error.name, error.message);
}
console.log(process._debugEnd(), process._debugEnd.length, typeof process._debugProcess);

new Worker(`const { parentPort } = require('worker_threads');
  parentPort.postMessage([performance.timeOrigin, process.uptime()]);`,
{ eval: true }).once('message', ([origin, uptime]) => {
  console.log(origin === performance.timeOrigin, uptime <= process.uptime());
});
