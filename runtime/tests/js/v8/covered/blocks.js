'use strict';
// Naïve "ünïcode" before it all: places are those of UTF-16.
function one(x) { if (x) { none(); } else { none(); } return 1; }
function none() {}
one(1); one(1); one(0);
const arrow = (x) => x ? none() : one(x);
arrow(1);
const o = {
  method(x) { return x && none(); }, get g() { return 1; }, f: function () {},
  async am() { await 1; return 2; }, *gen() { yield 1; yield 2; }, 'a key': () => 1,
};
o.method(1); o.method(0); void o.g; o.am(); for (const x of o.gen()) { if (x) break; }
class C {
  constructor(x) { this.x = x; }
  m() { return this.x ?? 5; }
  static s() {}
  #p() {}
  field = 1;
}
new C(1).m(); C.s();
function loops(n) {
  for (let i = 0; i < n; i++) { none(); if (i === 2) continue; none(); }
  while (n > 0) { n--; if (n === 1) break; }
  do { n++; } while (n < 5);
  for (const k in { x: 1 }) none(k);
  for (const k of []) { none(k); }
  return n;
}
loops(4);
function tries(x) {
  try { if (x) throw 1; none(); } catch (e) { none(e); } finally { none(); }
  switch (x) { case 0: none(); break; case 1: none(); default: none(); }
  switch (x) { case 0: case 1: case 2: none(); }
  if (x) return 5;
  none();
  return 6;
  none();
}
tries(0); tries(1); tries(1);
function never() { if (1) { none(); } }
exports.foo = function () { return 1; };
exports.baz = async (x) => { await x; };
async function waits() { const v = await new Promise(Boolean); one(v); }
waits();
(function () { none(); })();
[1, 2].map((x) => x + 1);
function given(x = one(0), y = none()) { return x || y || 5; }
given(); given(1, 2);
lab: for (const a of [1, 2]) {
  for (const b of [1, 2]) { if (b === a) continue lab; none(); } none(); }
do { none(); if (o) continue; none(); } while (0);
if (0) none();
