'use strict';
const late = (ms, v, bad) => new Promise((resolve, reject) =>
  setTimeout(() => (bad ? reject(new Error(v)) : resolve(v)), ms));
Promise.all([late(200, 'a'), late(50, 'b'), 'c']).then((v) => console.log('all', v));
Promise.race([late(250, 'slow'), late(100, 'fast')]).then((v) => console.log('race', v));
Promise.allSettled([late(20, 'x'), late(20, 'y', true)]).then((v) =>
  console.log('settled', v.map((one) => one.status)));
Promise.any([late(400, 'n', true), late(300, 'yes')]).then((v) => console.log('any', v));
