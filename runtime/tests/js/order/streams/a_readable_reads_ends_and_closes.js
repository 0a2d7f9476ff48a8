'use strict';
const { Readable } = require('stream');

const left = ['a', 'b', null];
const stream = new Readable({
  read() {
    console.log('read');
    this.push(left.shift());
  },
});
stream.on('data', (chunk) => console.log('data', chunk.toString()));
for (const name of ['end', 'close', 'pause', 'resume']) {
  stream.on(name, () => console.log(name));
}
process.nextTick(() => console.log('tick'));
Promise.resolve().then(() => console.log('microtask'));
console.log('main');
