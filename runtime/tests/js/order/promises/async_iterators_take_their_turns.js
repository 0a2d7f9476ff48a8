'use strict';
async function* count(name, to) {
  for (let i = 1; i <= to; i++) yield `${name}${i}`;
}
async function run(name) {
  for await (const item of count(name, 3)) console.log(item);
  console.log(name, 'done');
}
run('a');
run('b');
process.nextTick(() => console.log('tick'));
