'use strict';
const { ReadableStream, ReadableStreamDefaultReader, ReadableStreamDefaultController } =
  require('internal/web_readable');

module.exports = {
  ReadableStream, ReadableStreamDefaultReader, ReadableStreamDefaultController,
  ...require('internal/web_writable'),
};
for (const name of ['CompressionStream', 'DecompressionStream']) {
  Object.defineProperty(module.exports, name, {
    configurable: true,
    enumerable: true,
    get: () => require('internal/compression_stream')[name],
  });
}
