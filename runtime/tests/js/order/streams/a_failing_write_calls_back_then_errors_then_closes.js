'use strict';
const { Writable } = require('stream');

const stream = new Writable({
  write(chunk, encoding, callback) {
    process.nextTick(callback, new Error(`cannot write ${chunk}`));
  },
});
stream.on('error', (error) => console.log('error', error.message));
stream.on('finish', () => console.log('never: finish'));
stream.on('close', () => console.log('close'));
stream.write('a', (error) => console.log('callback a', error.message));
stream.write('b', (error) => console.log('callback b', error.message));
stream.end((error) => console.log('callback end', error.message));
