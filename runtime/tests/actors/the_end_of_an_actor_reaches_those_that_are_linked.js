'use strict';
const assert = require('assert');
const { openSystem, EXAMPLE, LISTENER } = require('./modules/system');

(async () => {
  const all = openSystem();
  const { system, data } = all;
  const one = system.start(EXAMPLE, { name: 'one', data });
  const tied = system.start(EXAMPLE, { data: { channel: 'nobody listens' }, restarts: 5 });
  const listener = system.start(LISTENER, { data });
  await Promise.all([one.begun, tied.begun, listener.begun]);
  one.link(tied);
  one.link(listener);
  one.send('fail');
  assert.strictEqual((await tied.ended).message, 'failed');
  assert.deepStrictEqual(await all.report(), { ended: 'failed' });
  assert.deepStrictEqual(await all.report(), { heard: 'one', why: 'failed' });
  const calm = system.start(EXAMPLE, { name: 'calm', data });
  await calm.begun;
  listener.link(calm);
  calm.stop();
  assert.deepStrictEqual(await all.report(), { ended: 'stopped' });
  assert.deepStrictEqual(await all.report(), { heard: 'calm', why: undefined });
  await all.close();
})();
