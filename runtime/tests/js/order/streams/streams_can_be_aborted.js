'use strict';
const { Readable, addAbortSignal } = require('stream');

const controller = new AbortController();
const stream = addAbortSignal(controller.signal, new Readable({ read() {} }));
stream.on('error', (error) => console.log('error', error.name, error.code));
stream.on('close', () => console.log('close'));
stream.on('data', (chunk) => {
  console.log('data', chunk.toString());
  controller.abort();
  console.log('aborted', stream.destroyed);
});
stream.push('x');
stream.push('y');
