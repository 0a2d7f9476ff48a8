'use strict';
const fs = require('fs');
const { execFileSync } = require('child_process');

// The fraction that is a hair below a whole millisecond is rounded up in milliseconds as a double.
for (const time of ['2023-11-14T22:13:20.122999906Z', '2023-11-14T22:13:20.000000001Z',
  '1969-12-31T23:59:58.250000001Z']) {
  fs.writeFileSync('file', '');
  execFileSync('touch', ['-d', time, 'file']);
  const exact = fs.statSync('file', { bigint: true });
  console.log(exact.mtimeNs, exact.mtimeMs, exact.atimeNs, exact.mtime.toISOString());
  console.log(fs.statSync('file').mtimeMs);
}
