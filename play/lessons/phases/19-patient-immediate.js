let left = 3;
setImmediate(function again() {
  console.log('immediate', left);
  if (left === 3) setTimeout(() => console.log('timer'), 1);
  const end = Date.now() + 2;
  while (Date.now() < end);
  if (--left > 0) setImmediate(again);
});
