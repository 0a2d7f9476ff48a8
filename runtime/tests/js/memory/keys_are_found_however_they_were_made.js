// needs: hashing
// Texts of the same units are one key: in one piece or in many, of 8 bits or cut from wider ones;
// and a map that two realms use has one order of keys.
'use strict';

const vm = require('vm');

for (const length of [1, 7, 47, 48, 49, 50, 95, 200, 9000, 20000]) {
  const flat = Buffer.alloc(length, 'abc').toString('latin1');
  let pieces = '';
  for (let i = 0; i < length; i += 3) pieces += flat.slice(i, i + 3);
  const long = 'xyz'.repeat(4000);
  const rope = (long + flat + long).slice(long.length, long.length + length);
  const cut = `\u0128${flat}\u0128`.slice(1, -1);
  const forms = [flat, pieces, rope, cut, flat.slice(0, length >> 1) + flat.slice(length >> 1)];
  const set = new Set(forms);
  const map = new Map([[pieces, 1]]);
  const object = { [cut]: 2 };
  console.log(length, set.size, forms.every((form) => map.get(form) === 1 && object[form] === 2),
    Symbol.for(flat) === Symbol.for(cut), new Set(forms.map((form) => `${form}\u0128`)).size);
}

const numbers = new Map([[0, 'zero'], [1, 'one'], [NaN, 'nan'], [2n ** 70n, 'big'], [5n, 'five']]);
console.log(numbers.get(-0), numbers.get(1.5 - 0.5), numbers.get(0 / 0), numbers.get(4n ** 35n),
  numbers.get(10n / 2n), numbers.get(5));

const shared = vm.runInNewContext('new Map([["a", 1], [5, 2]])');
for (let i = 0; i < 100; i++) Map.prototype.set.call(shared, `b${i}`, i);
console.log(Map.prototype.get.call(shared, 'a'), shared.get('b50'), shared.get('a'), shared.get(5));
