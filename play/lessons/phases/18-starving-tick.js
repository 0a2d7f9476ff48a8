setTimeout(() => console.log('timer'), 1);
let left = 4;
process.nextTick(function again() {
  console.log('tick', left);
  const end = Date.now() + 2;
  while (Date.now() < end);
  if (--left > 0) process.nextTick(again);
});
