'use strict';
const first = setTimeout(() => console.log('first'), 20);
setTimeout(() => console.log('second'), 20);
setTimeout(() => console.log('third'), 20);
console.log(first.refresh() === first);
