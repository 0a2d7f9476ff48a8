'use strict';
const { ReadableStream, ReadableStreamDefaultReader, ReadableStreamDefaultController } =
  require('internal/web_readable');

module.exports = {
  ReadableStream, ReadableStreamDefaultReader, ReadableStreamDefaultController,
  ...require('internal/web_writable'),
};
