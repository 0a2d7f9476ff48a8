'use strict';
const { Duplex } = require('stream');

function make(name, allowHalfOpen) {
  const stream = new Duplex({
    allowHalfOpen,
    read() {},
    write(chunk, encoding, callback) {
      console.log(name, 'write', chunk.toString());
      callback();
    },
  });
  for (const event of ['end', 'finish', 'close']) {
    stream.on(event, () => console.log(name, event));
  }
  stream.resume();
  return stream;
}
const open = make('half open', true);
open.push(null);
setImmediate(() => {
  console.log(open.writable);
  open.end('late');
  setImmediate(() => make('closed', false).push(null));
});
