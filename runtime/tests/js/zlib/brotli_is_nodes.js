'use strict';
const zlib = require('zlib');
const { constants } = zlib;

const big = Buffer.from(Array.from({ length: 200000 }, (_, i) => (i * i) >> 3));

function attempt(name, work) {
  try {
    console.log(name, work());
  } catch (error) {
    console.log(name, error.name, error.code, error.errno, error.message);
  }
}

const small = zlib.brotliCompressSync('hello'.repeat(100));
const params = { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 16 };
attempt('round', () => zlib.brotliDecompressSync(zlib.brotliCompressSync(big)).equals(big));
attempt('params', () => zlib.brotliDecompressSync(
  zlib.brotliCompressSync(big, { params, chunkSize: 64 }), { chunkSize: 64 }).equals(big));
attempt('garbage', () => zlib.brotliDecompressSync(Buffer.from('garbage data')));
attempt('cut', () => zlib.brotliDecompressSync(small.subarray(0, 5)));
attempt('cut is fine', () => zlib.brotliDecompressSync(small.subarray(0, 10),
  { finishFlush: constants.BROTLI_OPERATION_PROCESS }).length);
attempt('empty', () => zlib.brotliDecompressSync(Buffer.alloc(0)));
attempt('twice', () => zlib.brotliDecompressSync(Buffer.concat([small, small])).length);
attempt('limit', () => zlib.brotliDecompressSync(small, { maxOutputLength: 5 }));
attempt('type', () => zlib.brotliCompressSync('x', { params: { 1: 'x' } }));
attempt('key', () => zlib.brotliCompressSync('x', { params: { 99: 1 } }));
attempt('doubled key', () => zlib.brotliCompressSync('x', { params: { 0: 0, '00': 0 } }));
attempt('no key', () => zlib.brotliCompressSync('x', { params: { quality: 1 } }));
attempt('flag', () => zlib.brotliCompressSync('x', { params: { 4: 42 } }));
attempt('decoder', () => zlib.brotliDecompressSync(small, { params: { 7: 1 } }));
attempt('chunk', () => zlib.brotliCompressSync('x', { chunkSize: 5 }));
attempt('flush', () => zlib.brotliCompressSync('x', { flush: 4 }));
attempt('input', () => zlib.brotliCompressSync(5));

zlib.brotliCompress(big, (error, packed) => zlib.brotliDecompress(packed, (again, whole) => {
  console.log('pool', error, again, whole.equals(big));
  streams();
}));

function streams() {
  const encoder = zlib.createBrotliCompress({ params });
  const decoder = zlib.createBrotliDecompress();
  const parts = [];
  encoder.pipe(decoder).on('data', (part) => parts.push(part)).on('end', () => {
    console.log('streams', Buffer.concat(parts).equals(big), encoder.bytesWritten);
    failing();
  });
  for (let i = 0; i < big.length; i += 5000) encoder.write(big.subarray(i, i + 5000));
  encoder.flush(() => console.log('flushed'));
  encoder.end();
}

function failing() {
  zlib.createBrotliDecompress().on('error', (error) => {
    console.log(error.code, error.message);
    zlib.brotliDecompress(small.subarray(0, 4), (cut) => console.log(cut.code));
  }).end('garbage data');
}
console.log(Object.entries(constants).filter(([name]) => name.startsWith('BROTLI')));
