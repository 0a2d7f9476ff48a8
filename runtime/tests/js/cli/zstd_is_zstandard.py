#!/usr/bin/env python3
"""zstd_is_zstandard.py PHASOR: zlib's Zstandard functions, which Node 20 does not have, do what
newer Nodes document: round trips in all ways, flushes, parameters, dictionaries, and the errors."""
import subprocess
import sys

PROGRAM = r"""
'use strict';
const assert = require('assert');
const zlib = require('zlib');
const { constants } = zlib;
const big = Buffer.from(Array.from({ length: 300000 }, (_, i) => (i * i) >> 3));

const small = zlib.zstdCompressSync('hello'.repeat(100));
assert.strictEqual(small.subarray(0, 4).toString('hex'), '28b52ffd');
assert.ok(zlib.zstdDecompressSync(zlib.zstdCompressSync(big)).equals(big));
const params = { [constants.ZSTD_c_compressionLevel]: 9, [constants.ZSTD_c_checksumFlag]: 1,
  [constants.ZSTD_c_nbWorkers]: 2 };
const packed = zlib.zstdCompressSync(big, { params, chunkSize: 64 });
assert.ok(zlib.zstdDecompressSync(packed, { chunkSize: 64 }).equals(big));
const dictionary = Buffer.from('a text that both sides have');
const withIt = zlib.zstdCompressSync('a text that both sides have', { dictionary });
assert.strictEqual(zlib.zstdDecompressSync(withIt, { dictionary }).toString(),
  'a text that both sides have');
assert.strictEqual(zlib.zstdDecompressSync(Buffer.concat([small, small])).length, 500);

const fails = (work, code, message) => assert.throws(work, { code, ...(message && { message }) });
fails(() => zlib.zstdDecompressSync(Buffer.from('garbage data')), 'ZSTD_error_prefix_unknown',
  'Unknown frame descriptor');
fails(() => zlib.zstdDecompressSync(small.subarray(0, 10)), 'Z_BUF_ERROR',
  'unexpected end of file');
fails(() => zlib.zstdDecompressSync(Buffer.alloc(0)), 'Z_BUF_ERROR');
const damaged = Buffer.from(packed);
damaged[1000] ^= 255;
assert.throws(() => zlib.zstdDecompressSync(damaged), /corrupt|checksum|match/i);
fails(() => zlib.zstdCompressSync('x', { params: { 9999: 1 } }), 'ERR_ZSTD_INVALID_PARAM',
  '9999 is not a valid zstd parameter');
fails(() => zlib.zstdCompressSync('x', { params: { 100: 'x' } }), 'ERR_INVALID_ARG_TYPE');
fails(() => zlib.zstdCompressSync('x', { params: { 101: 1000 } }),
  'ERR_ZLIB_INITIALIZATION_FAILED', 'Setting parameter failed');
fails(() => zlib.zstdCompressSync('x', { flush: 4 }), 'ERR_OUT_OF_RANGE');
fails(() => zlib.zstdCompressSync('x', { pledgedSrcSize: 5 }), 'ZSTD_error_srcSize_wrong');
fails(() => zlib.zstdCompressSync('x', { pledgedSrcSize: '5' }), 'ERR_INVALID_ARG_TYPE');
fails(() => zlib.zstdCompressSync('x', { pledgedSrcSize: -1 }), 'ERR_OUT_OF_RANGE');
fails(() => zlib.zstdDecompressSync(small, { maxOutputLength: 5 }), 'ERR_BUFFER_TOO_LARGE');

zlib.zstdCompress(big, (error, out) => zlib.zstdDecompress(out, (again, whole) => {
  assert.ok(!error && !again && whole.equals(big));
  console.log('pool');
}));
const encoder = zlib.createZstdCompress();
const decoder = zlib.createZstdDecompress();
const parts = [];
encoder.pipe(decoder).on('data', (part) => parts.push(part)).on('end', () => {
  assert.ok(Buffer.concat(parts).equals(big));
  console.log('streams');
});
for (let i = 0; i < big.length; i += 1000) encoder.write(big.subarray(i, i + 1000));
encoder.flush();
encoder.end();
const early = new zlib.ZstdCompress();
early.on('data', () => {
  console.log('flushed');
  early.destroy();
});
early.write('text');
early.flush();
zlib.createZstdDecompress().on('error', (error) => console.log(error.code)).end('garbage');
"""

found = subprocess.run([sys.argv[1], "-e", PROGRAM], capture_output=True, text=True, timeout=60,
                       check=False)
said = sorted(found.stdout.split())
wanted = sorted(["pool", "streams", "flushed", "ZSTD_error_prefix_unknown"])
if found.returncode != 0 or said != wanted:
    sys.exit(f"status {found.returncode}, said {said}\n{found.stderr}")
