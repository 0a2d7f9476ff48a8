'use strict';
const { Readable } = require('stream');

const stream = new Readable({ read() {} });
stream.on('readable', () => {
  let chunk;
  console.log('readable', stream.readableLength);
  while ((chunk = stream.read()) !== null) {
    console.log('chunk', chunk.toString());
  }
});
stream.on('end', () => console.log('end'));
stream.on('close', () => console.log('close'));
stream.push('one');
stream.push('two');
setImmediate(() => {
  stream.push('three');
  console.log('pushed');
  setImmediate(() => stream.push(null));
});
