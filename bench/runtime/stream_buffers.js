'use strict';
const { Readable, PassThrough, Writable, pipeline } = require('stream');

const COUNT = 100000;
const chunk = Buffer.alloc(16384, 'x');
let made = 0;
let bytes = 0;
const start = process.hrtime.bigint();
pipeline(
  new Readable({ read() { this.push(made++ < COUNT ? chunk : null); } }),
  new PassThrough(),
  new Writable({
    write(piece, encoding, callback) {
      bytes += piece.length;
      callback();
    },
  }),
  (error) => {
    if (error) throw error;
    console.log(`${Number(process.hrtime.bigint() - start) / 1e6} ms`, bytes);
  });
