'use strict';
const os = require('os');
const querystring = require('querystring');
const { StringDecoder } = require('string_decoder');

const decoder = Object.create(StringDecoder.prototype);
StringDecoder.call(decoder, 'hex');
console.log(decoder.encoding, decoder.write(Buffer.from('ab')), decoder.end());
console.log(`${os.hostname}` === os.hostname(), `${os.arch}` === os.arch(), `${os.type}`);
const attempt = (work) => {
  try {
    console.log(work());
  } catch (error) {
    console.log(error.name, error.code);
  }
};
attempt(() => { os.EOL = 5; });
attempt(() => os.getPriority('x'));
attempt(() => querystring.escape('\ud801test'));
attempt(() => querystring.escape('\udc01\ud801x'));
attempt(() => querystring.escape('\ud801'));
console.log(querystring.unescapeBuffer('a+b%20', true).toString(),
  querystring.unescapeBuffer('a+b').toString());
console.log(Buffer.from({ buffer: new ArrayBuffer(4) }).length);
attempt(() => Buffer.alloc(3).fill('a', 0, 2, NaN));
attempt(() => Buffer.alloc(3).fill('a', 0, 2, 'nope'));
console.log(require('net').Socket.prototype.bytesWritten,
  require('tls').TLSSocket.prototype.bytesWritten);
