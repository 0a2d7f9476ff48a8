const { setInterval, setTimeout, setImmediate, scheduler } = require('timers/promises');
(async () => {
  let count = 0;
  for await (const value of setInterval(2, 'value')) {
    console.log(value, ++count);
    if (count === 3) break;
  }
  const stop = new AbortController();
  try {
    for await (const value of setInterval(1, count, { signal: stop.signal })) {
      console.log('again', value);
      stop.abort(new Error('enough'));
    }
  } catch (error) {
    console.log(error.name, error.code, error.cause.message);
  }
  console.log(await setTimeout(1, 'timeout'), await setImmediate('immediate'));
  await scheduler.wait(1);
  await scheduler.yield();
  console.log('done');
})();
