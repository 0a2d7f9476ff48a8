'use strict';
// Each of a thousand chains holds the next one: what is too much for anybody is named only.
const util = require('util');

let last = {};
const all = last;
for (let i = 0; i < 1000; i++) {
  last.next = { all, last, more: { a: 1, b: 2, c: true } };
  last = last.next;
  all[i] = last;
}
const text = util.inspect(all, { depth: Infinity });
console.log(text.length, text.slice(0, 90), text.slice(-90));
