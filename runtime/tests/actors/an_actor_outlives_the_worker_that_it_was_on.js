'use strict';
const assert = require('assert');
const { openSystem, EXAMPLE } = require('./modules/system');

(async () => {
  const all = openSystem();
  const actor = all.system.start(EXAMPLE, { data: all.data, restarts: 1, worker: 0 });
  const neighbour = all.system.start(EXAMPLE, { data: all.data, worker: 0 });
  const elsewhere = all.system.start(EXAMPLE, { data: all.data, worker: 1 });
  await Promise.all([actor.begun, neighbour.begun, elsewhere.begun]);
  for (const message of ['exit', 'after', 'report']) actor.send(message);
  assert.deepStrictEqual(await all.report(), { seen: ['after'], restarts: 1 });
  assert.strictEqual((await neighbour.ended).code, 'ERR_ACTOR_WORKER_ENDED');
  elsewhere.send('report');
  assert.deepStrictEqual(await all.report(), { seen: [], restarts: 0 });
  await all.close();
})();
