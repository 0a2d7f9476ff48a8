'use strict';
const fs = require('fs');

fs.readFile('missing', (error, data) => console.log(error.code, error.syscall, data));
try {
  fs.readFile('missing');
} catch (error) {
  console.log(error.name, error.code);
}
try {
  fs.open({}, () => {});
} catch (error) {
  console.log(error.name, error.code);
}
try {
  fs.readFileSync('missing');
} catch (error) {
  console.log(error.code, error.message);
}
fs.promises.readFile({}).catch((error) => console.log('promise', error.code));
process.nextTick(() => console.log('tick'));
console.log('main');
