'use strict';
const { Duplex, Transform, pipeline, PassThrough } = require('stream');

// What becomes of such streams is theirs; the process goes on.
process.on('uncaughtException', () => {});
const NAMES = ['_readableState', '_writableState', '_events'];
const PLACES = ['read', 'write', 'transform', 'data', 'final', 'destroy', 'callback'];
let count = 0;
for (const name of NAMES) {
  for (const place of PLACES) {
    for (const value of [undefined, null, {}, 5]) {
      const reach = (self, here) => { if (here === place) self[name] = value; };
      const common = {
        highWaterMark: 3,
        final(callback) { reach(this, 'final'); callback(); },
        destroy(error, callback) { reach(this, 'destroy'); callback(error); },
      };
      const duplex = new Duplex({
        ...common,
        read() { reach(this, 'read'); this.push('abcd'); },
        write(chunk, encoding, callback) { reach(this, 'write'); callback(); },
      });
      const transform = new Transform({
        ...common,
        transform(chunk, encoding, callback) { reach(this, 'transform'); callback(null, chunk); },
      });
      setImmediate(() => {
        try {
          for (const stream of [duplex, transform]) {
            stream.on('data', () => { reach(stream, 'data'); stream.pause(); });
            stream.write('12345', () => reach(stream, 'callback'));
            stream.write('67890');
            stream.end();
          }
          pipeline(transform, new PassThrough(), () => {});
          duplex.destroy();
        } catch {
          // Some of them throw.
        }
        count++;
      });
    }
  }
}
setTimeout(() => {
  console.log(count);
  process.exit(0);
}, 200);
