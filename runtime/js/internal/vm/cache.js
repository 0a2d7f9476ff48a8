'use strict';
// What is kept of a script: how long it was, which is what V8 accepts it by. Code is compiled again
// whatever the bytes say, so that they can't do harm.
function fingerprint(code) {
  return Buffer.from(`phasor script ${code.length}\n`.padEnd(64));
}

function isCacheOf(data, code) {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  return bytes.equals(fingerprint(code));
}

module.exports = { fingerprint, isCacheOf };
