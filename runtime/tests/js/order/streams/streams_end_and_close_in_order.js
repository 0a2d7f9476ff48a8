'use strict';
const { Readable, Writable, Transform } = require('stream');
const source = new Readable({ read() {
  this.push(this.left-- > 0 ? 'x' : null);
} });
source.left = 2;
const upper = new Transform({ transform(chunk, encoding, callback) {
  callback(null, String(chunk).toUpperCase());
} });
const sink = new Writable({ write(chunk, encoding, callback) {
  console.log('write', String(chunk));
  setImmediate(callback);
} });
for (const [name, stream] of Object.entries({ source, upper, sink })) {
  for (const event of ['end', 'finish', 'close', 'prefinish']) {
    stream.on(event, () => console.log(name, event));
  }
}
source.pipe(upper).pipe(sink);
