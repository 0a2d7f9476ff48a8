// "export *" of Babel, seen without running the file.
import { createRequire } from 'module';
import * as copies from './parts/copies.cjs';

console.log(Object.keys(copies), copies.first, copies.own);
const require = createRequire(import.meta.url);
Object.defineProperty(Object.prototype, 'exports', { set() { throw new Error('seen'); },
  get() { return undefined; }, configurable: true });
console.log(require('./parts/copied.cjs').first);
delete Object.prototype.exports;
for (const change of [() => Object.defineProperty(Object.freeze({ a: 1 }), 'a', { value: 2 }),
  () => Object.defineProperty(Object.defineProperty([], 'x', { value: 1 }), 'x', { value: 2 })]) {
  try {
    change();
  } catch (error) {
    console.log(error.message);
  }
}
