'use strict';
const { Writable } = require('stream');

const stream = new Writable({
  decodeStrings: false,
  writev(chunks, callback) {
    console.log('writev', chunks.map(({ chunk }) => chunk).join());
    callback();
  },
});
stream.cork();
stream.write('a', () => console.log('a'));
stream.cork();
stream.write('b', () => console.log('b'));
stream.uncork();
console.log('one cork left');
stream.uncork();
console.log('uncorked');
stream.cork();
stream.write('c', () => console.log('c'));
process.nextTick(() => {
  console.log('tick');
  stream.end(() => console.log('ended'));
});
