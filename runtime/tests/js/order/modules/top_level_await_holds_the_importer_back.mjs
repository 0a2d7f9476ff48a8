import { value } from './parts/waits.mjs';
import './parts/does_not_wait.mjs';
console.log('main', value);
await null;
console.log('main after await');
const { default: text } = await import('./parts/leaf.mjs');
console.log(text);
for await (const item of [Promise.resolve(1), 2]) {
  console.log('item', item);
}
