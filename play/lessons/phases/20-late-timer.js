const begin = Date.now();
setTimeout(function timeout() {
  const passed = Date.now() - begin;
  console.log('under 100:', passed < 100);
  console.log('105 or a little more:', passed >= 105 && passed < 110);
}, 100);
setTimeout(function work() {
  const end = Date.now() + 10;
  while (Date.now() < end);
  console.log('10 ms of work are done');
}, 95);
