const { setTimeout: sleep } = require('timers/promises');
async function task(name, ms) {
  await sleep(ms);
  console.log(name);
  return ms;
}
(async () => {
  const begin = Date.now();
  const all = await Promise.all([task('long', 2000), task('short', 1000)]);
  console.log(all.join(' and '), 'in', Date.now() - begin >= 3000 ? 'turn' : 'parallel');
})();
