'use strict';
const FILES = {
  readable: ['ReadableStream', 'ReadableStreamDefaultReader', 'ReadableStreamBYOBReader',
    'ReadableStreamDefaultController'],
  byte_controller: ['ReadableStreamBYOBRequest', 'ReadableByteStreamController'],
  transform: ['TransformStream', 'TransformStreamDefaultController'],
  writable: ['WritableStream', 'WritableStreamDefaultController', 'WritableStreamDefaultWriter'],
  strategies: ['ByteLengthQueuingStrategy', 'CountQueuingStrategy'],
  text: ['TextEncoderStream', 'TextDecoderStream'],
};

for (const [file, names] of Object.entries(FILES)) {
  for (const name of names) module.exports[name] = require(`internal/web/${file}`)[name];
}
for (const name of ['CompressionStream', 'DecompressionStream']) {
  Object.defineProperty(module.exports, name, {
    configurable: true,
    enumerable: true,
    get: () => require('internal/zlib/web_stream')[name],
  });
}
