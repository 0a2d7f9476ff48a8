'use strict';
// crypto.js sha256|gcm BYTES: how long it takes to hash or to encrypt this many bytes, in us. Each
// hash and each message is an object of its own, as in programs.
const crypto = require('crypto');

const [what, size] = [process.argv[2], Number(process.argv[3])];
const data = Buffer.alloc(size, 'x');
const key = Buffer.alloc(32, 1);
const iv = Buffer.alloc(12, 2);

const WORK = {
  sha256: () => crypto.createHash('sha256').update(data).digest(),
  gcm() {
    const cipher = crypto.createCipheriv('aes-256-gcm', key, iv);
    cipher.update(data);
    cipher.final();
    return cipher.getAuthTag();
  },
};

function run(count) {
  const start = process.hrtime.bigint();
  for (let i = 0; i < count; i++) WORK[what]();
  return Number(process.hrtime.bigint() - start) / 1e3 / count;
}

const count = Math.max(5, Math.min(20000, Math.round(4e8 / (size + 5000))));
run(Math.ceil(count / 10));
console.log(run(count).toFixed(3));
