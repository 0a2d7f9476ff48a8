'use strict';
const timer = setTimeout(() => console.log('never'), 5);
console.log(timer.close() === timer);
setInterval(() => {}, 1000).close();
