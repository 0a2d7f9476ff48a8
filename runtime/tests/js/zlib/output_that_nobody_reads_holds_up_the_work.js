'use strict';
const zlib = require('zlib');

// 8 MB of zeros in a few bytes.
function attempt([pack, open], then) {
  const packed = zlib[pack](Buffer.alloc(8 << 20));
  const stream = zlib[open]();
  stream.write(packed);
  setTimeout(() => {
    console.log(open, stream.readableLength < 1 << 20);
    let length = 0;
    stream.on('data', (bytes) => { length += bytes.length; });
    stream.on('end', () => {
      console.log(open, length);
      then?.();
    });
    stream.end();
  }, 200);
}
attempt(['gzipSync', 'createGunzip'], () =>
  attempt(['brotliCompressSync', 'createBrotliDecompress']));
