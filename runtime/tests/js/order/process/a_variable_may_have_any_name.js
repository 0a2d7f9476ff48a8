'use strict';

process.env.__proto__ = 'text';
process.env.constructor = 1;
console.log(process.env.__proto__, Object.keys(process.env).includes('__proto__'),
  process.env.constructor, Object.hasOwn(process.env, '__proto__'));
const { stdout } = require('child_process').spawnSync(process.execPath,
  ['-e', 'console.log(process.env.__proto__, Object.keys(process.env).includes("__proto__"))']);
console.log(String(stdout).trim());
delete process.env.__proto__;
console.log(typeof process.env.__proto__, Object.hasOwn(process.env, '__proto__'));
