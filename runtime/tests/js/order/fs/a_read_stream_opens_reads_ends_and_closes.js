'use strict';
const fs = require('fs');

fs.writeFileSync('file', 'abcdef');
const stream = fs.createReadStream('file', { highWaterMark: 4, encoding: 'utf8' });
for (const name of ['open', 'ready', 'end', 'close']) {
  stream.on(name, () => console.log(name, stream.destroyed));
}
stream.on('data', (chunk) => {
  console.log('data', chunk, stream.bytesRead);
  process.nextTick(() => console.log('tick'));
});
console.log('main', stream.pending);
