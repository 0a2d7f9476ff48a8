'use strict';
const { Writable } = require('stream');

const stream = new Writable({
  highWaterMark: 1,
  write(chunk, encoding, callback) {
    console.log('write', chunk.toString());
    callback();
  },
});
for (const name of ['drain', 'finish', 'close']) {
  stream.on(name, () => console.log(name));
}
process.nextTick(() => console.log('tick'));
console.log(stream.write('a', () => console.log('callback a')));
console.log(stream.write('b', () => console.log('callback b')));
Promise.resolve().then(() => {
  console.log('microtask');
  stream.end(() => console.log('callback end'));
});
console.log('main');
