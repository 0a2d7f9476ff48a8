'use strict';
const { Readable } = require('stream');
const { pipeline, finished } = require('stream/promises');

async function* double(source) {
  for await (const value of source) {
    console.log('double', value);
    yield value * 2;
  }
  console.log('source ended');
}
(async () => {
  const source = Readable.from([1, 2, 3]);
  const all = [];
  await pipeline(source, double, async (values) => {
    for await (const value of values) {
      all.push(value);
    }
  });
  console.log(all.join());
  await finished(source).then(() => console.log('finished'), (error) => console.log(error.code));
  const failing = Readable.from((async function* () {
    yield 1;
    throw new Error('generator');
  })());
  await pipeline(failing, double, async (values) => {
    for await (const value of values) {
      console.log('value', value);
    }
  }).catch((error) => console.log('caught', error.message));
})();
