'use strict';
const assert = require('assert');
const { openSystem, EXAMPLE } = require('./modules/system');

(async () => {
  const all = openSystem();
  const actor = all.system.start(EXAMPLE, { data: all.data, restarts: 1, pause: 5 });
  for (const message of ['before', 'fail', 'after', 'report']) actor.send(message);
  assert.deepStrictEqual(await all.report(), { ended: 'failed' });
  assert.deepStrictEqual(await all.report(), { seen: ['after'], restarts: 1 });
  actor.send('fail');
  assert.strictEqual((await actor.ended).message, 'failed');
  assert.strictEqual(actor.send('too late'), false);
  await all.close();
})();
