'use strict';
const { Readable } = require('stream');

const stream = Readable.from(['a', 'b', 'c']);
stream.on('pause', () => console.log('pause', stream.isPaused()));
stream.on('resume', () => console.log('resume', stream.isPaused()));
stream.on('end', () => console.log('end'));
stream.on('data', (chunk) => {
  console.log('data', chunk);
  if (chunk === 'b') {
    stream.pause();
    setTimeout(() => {
      console.log('waited');
      stream.resume();
    }, 10);
  }
});
