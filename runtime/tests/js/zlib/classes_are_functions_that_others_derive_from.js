'use strict';
const zlib = require('zlib');

function Own(options) {
  zlib.DeflateRaw.call(this, options);
  this.extra = true;
}
Object.setPrototypeOf(Own.prototype, zlib.DeflateRaw.prototype);
Object.setPrototypeOf(Own, zlib.DeflateRaw);

const own = new Own({ level: 9 });
console.log(own instanceof zlib.DeflateRaw, own.extra, own.bytesWritten);
own.on('data', (bytes) => console.log(zlib.inflateRawSync(bytes).toString(), own.bytesRead));
own.on('end', anotherOne);
own.end('some text');
const gunzip = new zlib.Gunzip({ objectMode: true });
try {
  gunzip.write({});
} catch (error) {
  console.log(error.name, error.code);
}

function anotherOne() {
  class Another extends zlib.BrotliCompress {}
  const another = new Another();
  another.on('data', (bytes) => console.log(zlib.brotliDecompressSync(bytes).toString()));
  another.on('end', interleaved);
  another.end('other text');
}

function interleaved() {
  const gzip = zlib.Gzip();
  const parts = [];
  gzip.write('abc');
  gzip.flush();
  gzip.write('def');
  gzip.flush();
  gzip.on('data', (part) => parts.push(part));
  gzip.on('end', () => console.log(zlib.gunzipSync(Buffer.concat(parts)).toString()));
  gzip.end();
}
