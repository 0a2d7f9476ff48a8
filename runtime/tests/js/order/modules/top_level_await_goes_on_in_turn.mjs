import { setTimeout as sleep } from 'node:timers/promises';
console.log('start');
process.nextTick(() => console.log('tick'));
await null;
console.log('after await');
await sleep(2);
console.log('after sleep');
const { default: path } = await import('node:path');
console.log(path.sep);
