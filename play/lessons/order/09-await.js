async function work() {
  console.log('2 work begins');
  await null;
  console.log('5 work goes on');
}
console.log('1 script');
work();
console.log('3 script goes on');
process.nextTick(() => console.log('4 tick'));
