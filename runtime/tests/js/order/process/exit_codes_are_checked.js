'use strict';
for (const bad of ['text', 1.5, {}, true]) {
  try {
    process.exitCode = bad;
    console.log('taken', bad);
  } catch (error) {
    console.log(error.name, error.code);
  }
}
process.exitCode = '21';
process.on('exit', (code) => console.log(typeof code, code));
