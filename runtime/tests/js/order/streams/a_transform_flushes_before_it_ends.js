'use strict';
const { Transform } = require('stream');

const stream = new Transform({
  transform(chunk, encoding, callback) {
    console.log('transform', chunk.toString());
    callback(null, chunk.toString().toUpperCase());
  },
  flush(callback) {
    console.log('flush');
    this.push('!');
    setImmediate(callback);
  },
});
for (const name of ['prefinish', 'finish', 'end', 'close']) {
  stream.on(name, () => console.log(name));
}
stream.on('data', (chunk) => console.log('data', chunk.toString()));
stream.write('a', () => console.log('written a'));
stream.write('b', () => console.log('written b'));
stream.end(() => console.log('ended'));
console.log('main');
