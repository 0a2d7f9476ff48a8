Promise.resolve()
  .then(() => Promise.resolve())
  .then(() => console.log('after the returned promise'));
Promise.resolve()
  .then(() => console.log('one'))
  .then(() => console.log('two'))
  .then(() => console.log('three'))
  .then(() => console.log('four'));
