'use strict';
// PROGRAM: runs it, and fails unless it prints what stands in its file of expected/. For
// `phasor sim --seeds N runtime/tests/js/same_in_every_world.js PROGRAM`.
const fs = require('fs');
const path = require('path');
const { format } = require('util');

const program = path.resolve(process.argv[2]);
const inside = path.relative(__dirname, program).replace(/\.\w+$/, '.txt');
const whole = fs.readFileSync(path.join(__dirname, 'expected', inside), 'utf8');
const wanted = /=== standard output\n([^]*?)=== standard error/.exec(whole)[1];
let printed = '';
console.log = (...args) => { printed += `${format(...args)}\n`; };
process.stdout.write = (text) => {
  printed += text;
  return true;
};
process.on('exit', (status) => {
  if (status !== 0 || printed === wanted) return;
  fs.writeSync(2, `another world, another text:\n${printed}`);
  process.exitCode = 1;
});
require(program);
