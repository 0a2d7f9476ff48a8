const { Writable } = require('stream');
const slow = new Writable({
  highWaterMark: 3,
  write(chunk, encoding, callback) {
    console.log('writing', String(chunk));
    setImmediate(callback);
  },
});
slow.on('drain', () => console.log('drain'));
console.log(slow.write('a'));
console.log(slow.write('b'));
console.log(slow.write('c'));
