'use strict';
const { finished, PassThrough, Readable, Writable } = require('stream');

const through = new PassThrough();
finished(through, (error) => console.log('through', error));
through.on('end', () => console.log('through end'));
through.resume();
through.end('x');

const early = new Readable({ read() {} });
finished(early, (error) => console.log('early', error.code));
early.on('close', () => console.log('early close'));

const failing = new Writable({ write: (chunk, encoding, callback) => callback() });
finished(failing, (error) => console.log('failing', error.message));
setImmediate(() => {
  early.destroy();
  setImmediate(() => failing.destroy(new Error('reason')));
});
