'use strict';
const timer = setTimeout(() => console.log('never'), 10);
const id = +timer;
console.log(typeof id, id > 0, `${timer}` === String(id));
clearTimeout(id);
const other = setTimeout(() => console.log('never'), 10);
clearTimeout(String(other[Symbol.toPrimitive]()));
setTimeout(() => console.log('end'), 20);
