'use strict';
const { Readable, Writable } = require('stream');

function watch(name, stream) {
  for (const event of ['end', 'finish', 'close']) {
    stream.on(event, () => console.log(name, event));
  }
  stream.on('error', (error) => console.log(name, 'error', error.message));
  return stream;
}
watch('plain', new Readable({ read() {} })).destroy();
watch('failing', new Readable({ read() {} })).destroy(new Error('reason'));
const slow = watch('slow', new Writable({
  write() {},
  destroy(error, callback) {
    console.log('slow destroy', error.message);
    setImmediate(callback, new Error('replaced'));
  },
}));
slow.write('x', (error) => console.log('slow callback', error.message));
slow.destroy(new Error('first'));
slow.destroy(new Error('second'));
process.nextTick(() => console.log('tick'));
console.log('main', slow.destroyed);
