'use strict';
const fs = require('fs');
const fsp = require('fs/promises');

async function main() {
  fs.mkdirSync('folder');
  const aborter = new AbortController();
  setTimeout(() => fs.writeFileSync('folder/new', ''), 10);
  try {
    for await (const event of fsp.watch('folder', { signal: aborter.signal })) {
      console.log(event);
      aborter.abort();
    }
  } catch (error) {
    console.log(error.name, error.code);
  }
}
main();
