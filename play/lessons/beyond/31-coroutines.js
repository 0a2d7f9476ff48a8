function run(coroutine) {
  const { value, done } = coroutine.next();
  if (!done) value.then(() => run(coroutine));
}
function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
function* worker(name, ms) {
  for (let i = 1; i <= 2; i++) {
    yield sleep(ms);
    console.log(name, i);
  }
}
run(worker('slow', 30));
run(worker('fast', 20));
console.log('both wait');
