'use strict';
// What Node's handles tell about the last read and the last write, beside their calls.

module.exports = {
  streamBaseState: new Int32Array(4),
  kReadBytesOrError: 0,
  kArrayBufferOffset: 1,
  kBytesWritten: 2,
  kLastWriteWasAsync: 3,
};
