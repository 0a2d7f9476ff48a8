'use strict';
const { PassThrough } = require('stream');

process.on('uncaughtException', (error) => console.log('handler', error.message));
const stream = new PassThrough();
stream.on('data', (chunk) => {
  console.log('data', chunk.toString());
  if (chunk.toString() === 'bad') {
    throw new Error('listener');
  }
});
stream.on('end', () => console.log('end'));
setTimeout(() => stream.write('good'), 1);
setTimeout(() => stream.write('bad'), 20);
setTimeout(() => stream.end('better'), 40);
