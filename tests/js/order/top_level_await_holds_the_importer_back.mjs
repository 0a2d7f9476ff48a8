import { value } from './modules/waits.mjs';
import './modules/does_not_wait.mjs';
console.log('main', value);
await null;
console.log('main after await');
const { default: text } = await import('./modules/leaf.mjs');
console.log(text);
for await (const item of [Promise.resolve(1), 2]) {
    console.log('item', item);
}
