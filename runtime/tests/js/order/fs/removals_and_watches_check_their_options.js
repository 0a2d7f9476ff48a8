'use strict';
const fs = require('fs');

const attempt = (work) => {
  try {
    console.log(work());
  } catch (error) {
    console.log(error.code, error.message);
  }
};
fs.mkdirSync('folder/inner', { recursive: true });
fs.writeFileSync('folder/inner/file', 'text');
attempt(() => fs.rmSync('folder', { recursive: undefined }));
attempt(() => fs.rmSync('folder', { force: null }));
attempt(() => fs.rmSync('missing', { maxRetries: undefined }));

const names = [];
const { rmdirSync } = fs;
fs.rmdirSync = (path, options) => {
  names.push(String(path), options?.recursive);
  return rmdirSync(path, options);
};
process.noDeprecation = true;
fs.rmdirSync('folder', { recursive: true });
fs.rmdirSync = rmdirSync;
console.log(names.length > 2, names[0], names[1], fs.existsSync('folder'));

(async () => {
  fs.writeFileSync('file', 'some text');
  await fs.promises.truncate('file', 4);
  console.log(fs.readFileSync('file', 'utf8'));
  await fs.promises.truncate('missing').catch((error) => console.log(error.code, error.syscall));
  let isThere = false;
  fs.watchFile('later', { interval: 5, bigint: true }, (now, before) => {
    if (!isThere) {
      console.log(now.ino, before.size, typeof now.mtimeNs);
      isThere = true;
      fs.writeFileSync('later', 'text');
      return;
    }
    console.log(now.ino > 0n, before.ino);
    fs.unwatchFile('later');
  });
})();
