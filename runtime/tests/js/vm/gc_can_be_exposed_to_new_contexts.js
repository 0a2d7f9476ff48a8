'use strict';
const v8 = require('v8');
const vm = require('vm');

const kind = () => vm.runInNewContext('typeof gc');
console.log(kind());
v8.setFlagsFromString('--expose-gc');
console.log(typeof globalThis.gc, kind());
const gc = vm.runInNewContext('gc');
gc();
v8.setFlagsFromString('--no-expose-gc');
console.log(kind());
v8.setFlagsFromString('--expose_gc');
console.log(kind());
