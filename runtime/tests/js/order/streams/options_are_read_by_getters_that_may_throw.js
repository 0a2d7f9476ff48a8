'use strict';
const { Readable, Writable, Duplex, Transform } = require('stream');

const NAMES = ['objectMode', 'highWaterMark', 'readableHighWaterMark', 'writableHighWaterMark',
  'emitClose', 'autoDestroy', 'defaultEncoding', 'encoding', 'decodeStrings', 'read', 'write',
  'writev', 'final', 'destroy', 'construct', 'transform', 'flush', 'signal', 'captureRejections'];
for (const Class of [Readable, Writable, Duplex, Transform]) {
  const thrown = NAMES.filter((name) => {
    try {
      new Class({ get [name]() { throw new Error(name); } }); // eslint-disable-line no-new
    } catch (error) {
      return error.message === name;
    }
    return false;
  });
  console.log(Class.name, thrown.join());
  for (const value of [-1, 1.5, NaN, '5', {}, Infinity]) {
    try {
      console.log(new Class({ highWaterMark: value }).readableHighWaterMark);
    } catch (error) {
      console.log(error.code, error.message);
    }
  }
  for (const given of [null, undefined, 5, 'text', { defaultEncoding: 'no' }, { encoding: 'no' }]) {
    try {
      const stream = new Class(given);
      console.log(stream.readable, stream.writable, Class(given) instanceof Class);
    } catch (error) {
      console.log(error.code, error.message);
    }
  }
}
