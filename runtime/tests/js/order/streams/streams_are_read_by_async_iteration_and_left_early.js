const { Readable } = require('stream');
(async () => {
  const from = Readable.from(['a', 'b', 'c', 'd']);
  from.on('close', () => console.log('close'));
  for await (const chunk of from) {
    console.log(chunk);
    if (chunk === 'b') break;
  }
  console.log('left', from.destroyed);
  const failing = new Readable({
    read() {
      this.push('x');
      this.destroy(new Error('it broke'));
    },
  });
  try {
    for await (const chunk of failing) console.log('never', String(chunk));
  } catch (error) {
    console.log('caught', error.message, failing.destroyed);
  }
  const late = new Readable({ objectMode: true, read() {} });
  late.push('only');
  setImmediate(() => late.destroy(new Error('broken later')));
  try {
    for await (const chunk of late) console.log(chunk);
  } catch (error) {
    console.log('caught', error.message);
  }

  const kept = Readable.from([1, 2, 3]);
  for await (const value of kept.iterator({ destroyOnReturn: false })) {
    console.log('kept', value);
    break;
  }
  console.log(kept.destroyed, await kept.toArray());
  const text = Readable.from((async function* () { yield 'one '; await null; yield 'two'; })());
  let all = '';
  for await (const part of text) all += part;
  console.log(all);
})();
