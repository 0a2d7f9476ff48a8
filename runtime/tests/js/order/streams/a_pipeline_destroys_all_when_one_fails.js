'use strict';
const { pipeline, PassThrough, Writable, Readable } = require('stream');

const source = new Readable({ read() {} });
const middle = new PassThrough();
const sink = new Writable({
  write(chunk, encoding, callback) {
    console.log('write', chunk.toString());
    callback(new Error('full'));
  },
});
pipeline(source, middle, sink, (error) => {
  console.log('callback', error.message);
  console.log(source.destroyed, middle.destroyed, sink.destroyed);
});
sink.on('close', () => console.log('sink close'));
source.push('data');
