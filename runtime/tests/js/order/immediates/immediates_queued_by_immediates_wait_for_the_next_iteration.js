'use strict';
function spin(milliseconds) {
  const until = Date.now() + milliseconds;
  while (Date.now() < until) {}
}
setImmediate(() => {
  console.log('immediate 1');
  setTimeout(() => console.log('timeout'), 1);
  setImmediate(() => console.log('immediate 3'));
  spin(5);
});
setImmediate(() => console.log('immediate 2'));
