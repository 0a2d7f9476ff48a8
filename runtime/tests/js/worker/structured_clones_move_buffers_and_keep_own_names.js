// What is transferred leaves its place only if all could be cloned.
const told = (name, call) => {
  try {
    console.log(name, call());
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
};
const buffer = new ArrayBuffer(8);
told('twice', () => structuredClone(1, { transfer: [buffer, buffer] }));
told('no function', () => structuredClone({ f() {} }, { transfer: [buffer] }));
told('still there', () => buffer.byteLength);
for (const wrong of [[{}], [1], [null], 5, [new SharedArrayBuffer(3)]])
  told('wrong', () => structuredClone(1, { transfer: wrong }));
const view = new Uint8Array(buffer, 2, 3).fill(7);
told('moved', () => structuredClone({ view, again: view }, { transfer: [buffer] }));
told('gone', () => [buffer.byteLength, view.length]);
told('nothing left', () => structuredClone(buffer));
const own = JSON.parse('{"__proto__":{"x":1},"a":2}');
told('names', () => {
  const copy = structuredClone(own);
  return [Object.keys(copy), Object.getPrototypeOf(copy) === Object.prototype, copy.x];
});
const list = Object.defineProperty([1], '__proto__', { value: { y: 1 }, enumerable: true });
told('lists', () => {
  const copy = structuredClone(list);
  return [Object.keys(copy), Array.isArray(copy), copy.y];
});
told('resizable', () => {
  const resizable = new ArrayBuffer(4, { maxByteLength: 16 });
  const copy = structuredClone({ resizable, follows: new Uint8Array(resizable) });
  copy.resizable.resize(8);
  return [copy.resizable.maxByteLength, copy.follows.length];
});
