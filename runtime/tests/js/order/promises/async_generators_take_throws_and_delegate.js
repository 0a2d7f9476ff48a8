'use strict';
async function* inner() {
  try {
    yield 'inner 1';
    yield 'inner 2';
  } catch (error) {
    console.log('inner caught', error.message);
    yield 'inner 3';
  }
  return 'inner result';
}
async function* outer() {
  const result = yield* inner();
  console.log(result);
  yield 'outer';
}
(async () => {
  const all = outer();
  console.log(await all.next());
  console.log(await all.throw(new Error('thrown')));
  console.log(await all.next());
  console.log(await all.next());
  console.log(await all.next());
})();
