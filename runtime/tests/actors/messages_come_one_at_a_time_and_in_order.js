'use strict';
const assert = require('assert');
const { openSystem, EXAMPLE } = require('./modules/system');

(async () => {
  const all = openSystem();
  const actor = all.system.start(EXAMPLE, { data: all.data });
  const sent = ['pause', 1, 'pause', 2, { three: 3 }];
  for (const message of sent) assert(actor.send(message));
  sent[4].three = 'changed later';
  actor.send('report');
  const { seen, restarts } = await all.report();
  assert.deepStrictEqual(seen, ['pause', 1, 'pause', 2, { three: 3 }]);
  assert.strictEqual(restarts, 0);
  await all.close();
})();
