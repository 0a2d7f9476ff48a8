'use strict';
async function* source() {
  try {
    yield 1;
    yield 2;
  } finally {
    console.log('cleanup');
  }
}
(async () => {
  for await (const item of source()) {
    console.log(item);
    break;
  }
  try {
    for await (const item of [1]) throw new Error(`at ${item}`);
  } catch (error) {
    console.log(error.message);
  }
  for await (const item of [Promise.resolve('p'), 'q']) console.log(item);
})();
