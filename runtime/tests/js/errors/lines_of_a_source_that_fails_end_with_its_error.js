// needs: iterators
const readline = require('readline');
const fs = require('fs');
const { PassThrough } = require('stream');

async function lines(input) {
  try {
    for await (const line of readline.createInterface({ input })) console.log(line);
    console.log('end');
  } catch (error) {
    console.log('caught', error.message);
  }
}

// The iterator of a failing source is at its end: nobody calls return().
const failing = {
  [Symbol.asyncIterator]() { return this; },
  async next() { throw new Error('next'); },
  async return() { console.log('return'); return {}; },
};

(async () => {
  const missing = fs.createReadStream('none');
  await lines(missing);
  const broken = new PassThrough();
  broken.write('a\nb\n');
  setTimeout(() => broken.destroy(new Error('broken')), 20);
  await lines(broken);
  try {
    for await (const one of failing) console.log(one);
  } catch (error) {
    console.log('caught', error.message);
  }
  const reader = readline.createInterface({ input: fs.createReadStream('none') });
  reader.on('error', (error) => console.log('error', error.code));
})();
