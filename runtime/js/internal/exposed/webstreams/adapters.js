'use strict';
// Node's name internal/webstreams/adapters.

const adapters = require('internal/web_adapters');
module.exports = {
  newReadableStreamFromStreamReadable: adapters.readableToWeb,
  newStreamReadableFromReadableStream: adapters.readableFromWeb,
  newWritableStreamFromStreamWritable: adapters.writableToWeb,
  newStreamWritableFromWritableStream: adapters.writableFromWeb,
  newReadableWritablePairFromDuplex: adapters.duplexToWeb,
  newStreamDuplexFromReadableWritablePair: adapters.duplexFromWeb,
};
