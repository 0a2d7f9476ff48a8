'use strict';
const byObject = setTimeout(() => console.log('object'), 5);
const byNumber = setTimeout(() => console.log('number'), 5);
const byText = setTimeout(() => console.log('text'), 5);
const byClose = setTimeout(() => console.log('close'), 5);
const asInterval = setTimeout(() => console.log('as interval'), 5);
const interval = setInterval(() => console.log('interval'), 5);
setTimeout(() => console.log('kept'), 5);

console.log(typeof +byNumber, +byNumber > 0, `${byNumber}` === String(+byNumber));
clearTimeout(byObject);
setInterval(() => console.log('closed interval'), 5).close();
clearTimeout(+byNumber);
clearTimeout(`${+byText}`);
console.log(byClose.close() === byClose);
clearInterval(asInterval);
clearTimeout(interval);
for (const nothing of [undefined, null, 'x', {}, 123456789]) {
  clearTimeout(nothing);
  clearInterval(nothing);
}
clearImmediate(undefined);
clearImmediate(null);
clearTimeout(byObject);
console.log(typeof +byNumber, typeof byNumber);
