'use strict';
const { Readable, Writable } = require('stream');

const source = Readable.from(['one', 'two', 'three'], { objectMode: false, highWaterMark: 1 });
const sink = new Writable({
  highWaterMark: 1,
  write(chunk, encoding, callback) {
    console.log('write', chunk.toString());
    setImmediate(() => {
      console.log('done', chunk.toString());
      callback();
    });
  },
});
sink.on('pipe', () => console.log('pipe'));
sink.on('unpipe', () => console.log('unpipe'));
sink.on('finish', () => console.log('finish'));
source.on('end', () => console.log('end'));
source.pipe(sink);
console.log('main');
