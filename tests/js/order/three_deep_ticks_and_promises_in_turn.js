'use strict';
const log = (text) => console.log(text);
Promise.resolve().then(() => {
  log('p1');
  process.nextTick(() => {
    log('p1 t1');
    Promise.resolve().then(() => {
      log('p1 t1 p1');
      process.nextTick(() => log('p1 t1 p1 t1'));
      Promise.resolve().then(() => log('p1 t1 p1 p1'));
    });
    process.nextTick(() => log('p1 t1 t1'));
  });
  Promise.resolve().then(() => log('p1 p1'));
}).then(() => log('p2'));
process.nextTick(() => {
  log('t1');
  Promise.resolve().then(() => {
    log('t1 p1');
    process.nextTick(() => log('t1 p1 t1'));
  }).then(() => log('t1 p2'));
  process.nextTick(() => log('t1 t1'));
});
log('main');
