'use strict';
// Packages that read pictures drive the handle of a stream themselves.
const zlib = require('zlib');
const input = zlib.deflateSync(Buffer.from('abc'.repeat(20000)));
const inflate = new zlib.Inflate({ chunkSize: 25000 });
console.log(inflate._chunkSize, inflate._outBuffer.length, inflate._outOffset,
  inflate._finishFlushFlag, inflate._defaultFlushFlag, inflate._defaultFullFlushFlag,
  inflate._writeState, inflate._maxOutputLength);
let from = 0;
let left = input.length;
const parts = [];
for (let more = true; more;) {
  const out = Buffer.alloc(25000);
  const given = inflate._handle.writeSync(zlib.constants.Z_FINISH, input, from, left, out, 100,
    20000);
  const [outLeft, inLeft] = inflate._writeState;
  console.log(given, outLeft, inLeft);
  parts.push(out.subarray(100, 100 + 20000 - outLeft));
  from += left - inLeft;
  left = inLeft;
  more = outLeft === 0;
}
console.log(Buffer.concat(parts).equals(Buffer.from('abc'.repeat(20000))));
inflate._handle.reset();
inflate.on('error', (error) => console.log(error.code, error.errno, error.message));
inflate._handle.writeSync(zlib.constants.Z_FINISH, Buffer.from('this is not it'), 0, 14,
  Buffer.alloc(10), 0, 10);
console.log(inflate._handle);
const closed = zlib.createDeflate();
const { _handle } = closed;
_handle.close();
console.log(typeof closed._handle);
closed.destroy();
