'use strict';
const fs = require('fs');
const os = require('os');
const path = require('path');
const COUNT = 10000;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bench-'));
for (let i = 0; i < COUNT; i++) fs.writeFileSync(`${folder}/${i}`, `file ${i}`);
const start = process.hrtime.bigint();
let next = 0;
let left = COUNT;
function one() {
  if (next >= COUNT) return;
  fs.readFile(`${folder}/${next++}`, 'utf8', (error) => {
    if (error) throw error;
    if (--left > 0) {
      one();
      return;
    }
    console.log(`${Number(process.hrtime.bigint() - start) / 1e6} ms`);
    fs.rmSync(folder, { recursive: true });
  });
}
for (let i = 0; i < 8; i++) one();
