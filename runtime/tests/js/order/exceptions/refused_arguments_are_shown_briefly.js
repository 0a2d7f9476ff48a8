'use strict';
const fs = require('fs');

const long = 'Lorem ipsum dolor sit amet, consectetur';
for (const value of [long, `it's ${long}`, "it's", 'it"s', 'a\\b', 'two\nlines', '']) {
  try {
    Buffer.alloc(value);
  } catch (error) {
    console.log(error.message);
  }
}

// The stack begins with the function that refuses, not with its check.
function first(work) {
  try {
    work();
  } catch (error) {
    console.log(error.message, / at [^(]*\bvalidate/.test(error.stack.split('\n')[1]));
  }
}
first(() => fs.readSync('x'));
first(() => process.emitWarning('x', { type: 1, code: 1 }));
first(() => setTimeout('x'));
first(() => require('events').setMaxListeners(-1));
first(() => new (require('events'))().on('x', 1));

try {
  fs.rmSync('.');
} catch (error) {
  console.log(require('util').inspect(error).replace(/^ +at .*\n/gm, ''));
}
