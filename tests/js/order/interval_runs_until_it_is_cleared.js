'use strict';
let n = 0;
const interval = setInterval((a, b) => {
  console.log(++n, a, b);
  if (n === 3) clearInterval(interval);
}, 2, 'x', 'y');
