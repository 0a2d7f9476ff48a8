const fs = require('fs');
fs.mkdirSync('a/b/c', { recursive: true });
const seen = new Set();
const watcher = fs.watch('.', { recursive: true }, (type, name) => seen.add(name));
watcher.on('close', () => console.log('close'));
const steps = [() => fs.writeFileSync('a/b/c/deep', 'x'), () => fs.mkdirSync('a/made'),
  () => fs.writeFileSync('a/made/inside', 'y'), () => fs.rmSync('a/b/c/deep')];
steps.forEach((step, i) => setTimeout(step, 300 * (i + 1)));
setTimeout(() => {
  watcher.close();
  for (const name of ['a/b/c/deep', 'a/made', 'a/made/inside']) console.log(name, seen.has(name));
}, 1600);
