// needs: whole_names
// Functions that come from no file have no place in a stack; where the language has none of these,
// there is nothing to see.
'use strict';

const isPlace = (line) => /^ +at .*(:\d+:\d+\)?|\(<anonymous>\)|\(native\))$/.test(line);
const fine = (error) => error.stack.split('\n').slice(1).every(isPlace);
const fail = () => { throw new Error('mine'); };

for (const [name, make] of [
  ['zip', () => globalThis.Iterator?.zip?.(1)],
  ['zipKeyed', () => globalThis.Iterator?.zipKeyed?.(1)],
  ['zip of what fails', () => globalThis.Iterator?.zip?.([{ get next() { return fail(); } }])],
]) {
  let isFine = true;
  try {
    make();
  } catch (error) {
    isFine = fine(error) && !/ \(<anonymous>\)/.test(error.stack);
  }
  console.log(name, isFine);
}

console.log(Array.fromAsync?.fileName, globalThis.Iterator?.zip?.fileName);
const later = () => Array.fromAsync?.([1], fail) ?? Promise.reject(new Error('mine'));
later().catch((error) => {
  console.log('fromAsync', error.message, fine(error));
  const sites = [];
  Error.prepareStackTrace = (_, list) => sites.push(...list);
  return later().catch((other) => other.stack).then(() => {
    console.log(sites.every((site) => site.getFileName() !== ''));
  });
});
