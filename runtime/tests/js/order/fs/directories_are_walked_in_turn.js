'use strict';
const fs = require('fs');

(async () => {
  await fs.promises.mkdir('a/b', { recursive: true });
  await Promise.all(['a/1', 'a/2'].map((name) => fs.promises.writeFile(name, name)));
  const names = [];
  for await (const entry of await fs.promises.opendir('a')) {
    names.push(`${entry.name} ${entry.isDirectory()}`);
  }
  console.log(names.sort().join());
  fs.readdir('a', (error, list) => {
    console.log('callback', error, list.sort().join());
    fs.rm('a', { recursive: true }, (error) => console.log('rm', error, fs.existsSync('a')));
    console.log('rm called');
  });
  console.log('readdir called');
})();
