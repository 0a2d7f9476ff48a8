'use strict';
const { Writable } = require('stream');

const stream = new Writable({ write: (chunk, encoding, callback) => callback() });
stream.on('error', (error) => console.log('error', error.code));
stream.on('close', () => console.log('close'));
stream.on('finish', () => console.log('finish'));
stream.end('last');
console.log(stream.write('more', (error) => console.log('callback', error.code)));
stream.end((error) => console.log('second end', error && error.code));
console.log('main');
