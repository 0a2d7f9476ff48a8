'use strict';
// needs: positions
// Lines and columns of frames: a call stands where the name of what is called stands, the reading
// of a property where its name is.
function at() {
  const holder = {};
  Error.captureStackTrace(holder, at);
  return placeIn(holder.stack);
}
const placeIn = (stack) => /:(\d+:\d+)\)?$/.exec(stack.split('\n')[1])[1];
const o = { at, b: { at }, f() { return at; } };
const key = 'at';
console.log(at(1), o.at(null, 1,
  2), o.at(
  typeof 123 === 'string'
), (() => o.at(null))(), o
  .b
  .at(1));
console.log(o['at'](1), o[key](1), o.f()(1), (0, o.at)(1), (o.at)(1), o?.at(1), o.at(...[1]));
for (const work of [() => o.x.y.z, () => o.b.c.d(), () => o.zz(), () => o.b.zz(1, 2),
  () => { throw new Error('x'); }, () => nope, () => nope(), () => 1 + nope * 2,
  () => [1].map((x) => x.y.z)]) {
  try {
    work();
  } catch (error) {
    console.log(error.name, placeIn(error.stack));
  }
}
Error.prepareStackTrace = () => `made ${new Error('inner').stack.split('\n')[0]}`;
console.log(new Error('outer').stack);
