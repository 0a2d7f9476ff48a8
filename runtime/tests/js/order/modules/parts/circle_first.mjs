import { early } from './circle_second.mjs';
export function name() {
  return 'hoisted';
}
export let value = 'set';
console.log('first', early);
