'use strict';
const fs = require('fs');

const stream = fs.createWriteStream('file', { highWaterMark: 4 });
for (const name of ['open', 'ready', 'drain', 'finish', 'close']) {
  stream.on(name, () => console.log(name));
}
console.log(stream.write('ab', () => console.log('written 1')));
console.log(stream.write('cdef', () => console.log('written 2')));
stream.once('drain', () => {
  stream.end('gh', () => console.log('end callback'));
  console.log('ended', stream.writableEnded, stream.writableFinished);
});
stream.on('close', () => console.log(fs.readFileSync('file', 'utf8'), stream.bytesWritten));
