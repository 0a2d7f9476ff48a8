'use strict';
const late = (ms, v, bad) => new Promise((resolve, reject) =>
  setTimeout(() => (bad ? reject(new Error(v)) : resolve(v)), ms));
Promise.all([late(20, 'a'), late(5, 'b'), 'c']).then((v) => console.log('all', v));
Promise.race([late(25, 'slow'), late(10, 'fast')]).then((v) => console.log('race', v));
Promise.allSettled([late(2, 'x'), late(2, 'y', true)]).then((v) =>
  console.log('settled', v.map((one) => one.status)));
Promise.any([late(40, 'n', true), late(30, 'yes')]).then((v) => console.log('any', v));
