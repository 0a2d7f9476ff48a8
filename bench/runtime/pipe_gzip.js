'use strict';
// A file of 64 MB through gzip into another file.
const fs = require('fs');
const os = require('os');
const path = require('path');
const zlib = require('zlib');
const { pipeline } = require('stream');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bench-'));
const file = path.join(folder, 'file');
fs.writeFileSync(file, Buffer.alloc(64 << 20, 'some text that can be packed '));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));
const start = process.hrtime.bigint();
pipeline(fs.createReadStream(file), zlib.createGzip({ level: 1 }),
  fs.createWriteStream(`${file}.gz`), (error) => {
    if (error) throw error;
    console.log(`${Number(process.hrtime.bigint() - start) / 1e6} ms`);
  });
