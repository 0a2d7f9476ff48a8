'use strict';
const { Writable } = require('stream');

const stream = new Writable({
  highWaterMark: 3,
  write(chunk, encoding, callback) {
    console.log('write', chunk.toString());
    setImmediate(callback);
  },
  final(callback) {
    console.log('final');
    callback();
  },
  destroy(error, callback) {
    console.log('destroy', error);
    callback(error);
  },
});
for (const name of ['drain', 'prefinish', 'finish', 'close']) {
  stream.on(name, () => console.log(name));
}
console.log(stream.write('ab', () => console.log('callback ab')));
console.log(stream.write('cd', () => console.log('callback cd')));
stream.once('drain', () => stream.end('ef', () => console.log('callback end')));
