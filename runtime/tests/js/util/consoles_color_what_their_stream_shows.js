'use strict';
// Options for inspect do not take the colors from a console on a terminal.

const { Console } = require('console');
const { Writable } = require('stream');

for (const isTTY of [true, false]) {
  for (const inspectOptions of [undefined, {}, { depth: 0 }, { colors: false }, { colors: true }]) {
    const label = JSON.stringify(inspectOptions);
    const stdout = new Writable({
      decodeStrings: false,
      write(chunk, encoding, done) {
        console.log(isTTY, label, JSON.stringify(chunk));
        done();
      },
    });
    stdout.isTTY = isTTY;
    new Console({ stdout, inspectOptions }).log({ a: [1] });
  }
}
try {
  new Console({ stdout: process.stdout, colorMode: 0 });
} catch (error) {
  console.log(error.message);
}
