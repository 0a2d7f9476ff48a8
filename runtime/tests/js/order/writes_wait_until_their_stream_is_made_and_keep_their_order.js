const fs = require('fs');
const { Writable } = require('stream');

const made = new Writable({
  construct(callback) {
    setTimeout(() => {
      callback();
      process.nextTick(() => {
        made.write('tick');
        process.nextTick(() => made.write('second tick'));
      });
      made.write('at once');
      queueMicrotask(() => made.write('microtask', written));
    }, 1);
  },
  write(chunk, encoding, callback) {
    console.log(String(chunk));
    setTimeout(callback, 1);
  },
});
made.write('early');

const file = fs.createWriteStream('file');
file.on('open', () => {
  file.write('open\n');
  process.nextTick(() => file.write('tick\n'));
  file.write('second\n');
});
file.on('ready', () => file.write('ready\n', () => setImmediate(written)));

let left = 2;
function written() {
  if (--left === 0) file.end(() => console.log(fs.readFileSync('file', 'utf8')));
}
