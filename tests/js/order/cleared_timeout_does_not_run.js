'use strict';
let b;
setTimeout(() => {
  console.log('a');
  clearTimeout(b);
}, 2);
b = setTimeout(() => console.log('b'), 2);
setTimeout(() => console.log('c'), 2);
clearTimeout(setTimeout(() => console.log('d'), 1));
clearTimeout(undefined);
clearTimeout('none');
clearInterval(null);
