'use strict';
for (const n of [7, 10, 16, 20, 26, 27, 33, 50]) {
  console.log(Array.from({ length: n }, (_, i) => 'x'.repeat(1 + ((i * 7) % 13))));
  console.log(Array.from({ length: n }, (_, i) => i * i * i));
  console.log(Array.from({ length: n }, (_, i) => ({ a: i })));
}
