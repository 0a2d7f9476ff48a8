'use strict';
for (let attempt = 1; attempt <= 3; attempt++) {
  try {
    globalThis.attempt = attempt;
    console.log(require('./parts/throws_twice.js').value);
  } catch (error) {
    console.log('caught', error.message);
  }
}
try {
  require('./parts/missing.js');
} catch (error) {
  console.log(error.code);
}
