'use strict';
const assert = require('assert');
const { openSystem, EXAMPLE } = require('./modules/system');

(async () => {
  const all = openSystem();
  const actor = all.system.start(EXAMPLE, { data: { failsToBegin: true }, restarts: 3, pause: 1,
    pauseMost: 2 });
  await assert.rejects(actor.begun, { message: 'does not begin' });
  assert.strictEqual((await actor.ended).message, 'does not begin');
  const missing = all.system.start('/there/is/none.js');
  assert.match((await missing.ended).message, /none\.js/);
  const empty = all.system.start(require.resolve('./modules/system'));
  assert.match((await empty.ended).message, /exports no function "receive"/);
  await all.close();
})();
