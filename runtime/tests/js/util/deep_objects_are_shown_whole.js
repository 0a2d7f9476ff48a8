'use strict';
// The text of each level holds that of the levels below it.
const util = require('util');

let last = {};
const all = last;
for (let i = 0; i < 250; i++) {
  last.next = { all, last, more: { a: 1, b: 2, c: true } };
  last = last.next;
}
const text = util.inspect(all, { depth: Infinity });
console.log(text.length, text.slice(0, 90), text.slice(-20));
let sum = 0;
for (const letter of text) sum = (sum * 31 + letter.charCodeAt(0)) % 1000003;
console.log(sum);
