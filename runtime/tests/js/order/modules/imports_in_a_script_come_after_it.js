'use strict';
import('./parts/leaf.mjs').then((leaf) => {
  console.log('imported', leaf.default, leaf.count);
  return import('./parts/leaf.mjs').then((again) => console.log('same', again === leaf));
}).then(() => import('./parts/speaks.js')).then((speaks) => {
  console.log(Object.keys(speaks).includes('default'));
  return import('./parts/missing.mjs');
}).catch((error) => console.log(error.code));
console.log('main');
process.nextTick(() => console.log('tick'));
