import { name, value } from './circle_first.mjs';
console.log('second', name());
export let early;
try {
  early = value;
} catch (error) {
  early = error.name;
}
