'use strict';
const { Readable, Transform, Writable, pipeline } = require('stream');

const COUNT = 300000;
let made = 0;
let seen = 0;
const start = process.hrtime.bigint();
pipeline(
  new Readable({
    objectMode: true,
    read() { this.push(made < COUNT ? { number: made++ } : null); },
  }),
  new Transform({
    objectMode: true,
    transform(object, encoding, callback) { callback(null, object); },
  }),
  new Writable({
    objectMode: true,
    write(object, encoding, callback) {
      seen++;
      callback();
    },
  }),
  (error) => {
    if (error) throw error;
    console.log(`${Number(process.hrtime.bigint() - start) / 1e6} ms`, seen);
  });
