'use strict';
const { Duplex, Transform, Readable, Writable } = require('stream');

// Each place at which a program runs destroys the stream that it belongs to.
const PLACES = ['construct', 'read', 'write', 'final', 'transform', 'flush', 'destroy', 'data',
  'readable', 'end', 'finish', 'prefinish', 'drain', 'resume', 'pause', 'callback', 'error'];

function options(log, at) {
  const reach = (place, self) => {
    log(place);
    if (place === at) self.destroy(new Error(`at ${place}`));
  };
  let left = 3;
  return {
    reach,
    highWaterMark: 2,
    construct(callback) { reach('construct', this); callback(); },
    read() {
      reach('read', this);
      this.push(left-- > 0 ? 'abc' : null);
    },
    write(chunk, encoding, callback) { reach('write', this); callback(); },
    final(callback) { reach('final', this); callback(); },
    destroy(error, callback) { reach('destroy', this); callback(error); },
  };
}

function drive(stream, log, { reach }) {
  for (const name of ['readable', 'data', 'end', 'finish', 'prefinish', 'drain', 'resume',
    'pause']) {
    if (name !== 'readable') stream.on(name, () => reach(name, stream));
  }
  stream.on('error', (error) => { log(`error ${error.message}`); stream.destroy(); });
  stream.on('close', () => log('close'));
  if (stream.write) {
    stream.write('12345', () => reach('callback', stream));
    stream.end('6', () => log('ended'));
  }
}

const lines = [];
let at = 0;
function next() {
  if (at === PLACES.length * 4) {
    console.log(lines.join('\n'));
    return;
  }
  const place = PLACES[Math.floor(at / 4)];
  const Class = [Readable, Writable, Duplex, Transform][at++ % 4];
  const seen = [];
  const log = (word) => seen.push(word);
  const given = options(log, place);
  if (Class === Transform) {
    delete given.read;
    delete given.write;
    delete given.final;
    given.transform = function transform(chunk, encoding, callback) {
      given.reach('transform', this);
      callback(null, chunk);
    };
    given.flush = function flush(callback) { given.reach('flush', this); callback(); };
  }
  drive(new Class(given), log, given);
  setImmediate(() => setImmediate(() => {
    lines.push(`${place} of ${Class.name}: ${seen.join(', ')}`);
    next();
  }));
}
next();
