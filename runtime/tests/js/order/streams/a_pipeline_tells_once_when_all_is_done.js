'use strict';
const { pipeline, Readable, Transform, Writable } = require('stream');

const upper = new Transform({
  transform: (chunk, encoding, callback) => callback(null, chunk.toString().toUpperCase()),
});
const sink = new Writable({
  write(chunk, encoding, callback) {
    console.log('write', chunk.toString());
    callback();
  },
});
sink.on('finish', () => console.log('finish'));
sink.on('close', () => console.log('close'));
pipeline(Readable.from(['a', 'b']), upper, sink, (error) => console.log('callback', error));
console.log('main');
