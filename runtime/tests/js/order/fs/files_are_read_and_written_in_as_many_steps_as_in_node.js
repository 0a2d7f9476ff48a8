'use strict';
// With one thread in the pool, the number of other requests that end meanwhile is exact.
process.env.UV_THREADPOOL_SIZE = '1';
const fs = require('fs');
const promises = require('fs/promises');

function beside(start) {
  return new Promise((resolve) => {
    let steps = 0;
    let isDone = false;
    const step = () => {
      if (isDone) return;
      steps++;
      fs.stat('.', step);
    };
    start(() => {
      isDone = true;
      resolve(steps);
    });
    fs.stat('.', step);
  });
}

(async () => {
  for (const size of [0, 1000, 524288, 600000, 2000000]) {
    fs.writeFileSync('file', Buffer.alloc(size, 97));
    console.log(size, 'callback', await beside((done) => fs.readFile('file', done)));
    console.log(size, 'text', await beside((done) => fs.readFile('file', 'utf8', done)));
    console.log(size, 'promise', await beside((done) => promises.readFile('file').then(done)));
    console.log(size, 'written',
      await beside((done) => fs.writeFile('other', Buffer.alloc(size), done)));
  }
  console.log('missing', await beside((done) => fs.readFile('missing', done)));
  console.log('folder', await beside((done) => fs.readFile('.', done)));
})();
