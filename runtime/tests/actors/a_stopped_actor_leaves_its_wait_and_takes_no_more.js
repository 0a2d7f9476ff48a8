'use strict';
const assert = require('assert');
const { openSystem, EXAMPLE } = require('./modules/system');

(async () => {
  const all = openSystem(1);
  const actor = all.system.start(EXAMPLE, { data: all.data, mailbox: 2 });
  await actor.begun;
  assert(actor.send('hang'));
  assert(actor.send('waits'));
  assert(actor.send('waits too'));
  assert.strictEqual(actor.waiting, 2);
  assert.strictEqual(actor.send('does not fit'), false);
  assert.strictEqual(await actor.stop(), undefined);
  assert.deepStrictEqual(await all.report(), { ended: 'stopped' });
  assert.strictEqual(actor.waiting, 0);
  assert.strictEqual(actor.send('too late'), false);
  await all.close();
  assert.throws(() => all.system.start(EXAMPLE), { code: 'ERR_ACTORS_CLOSED' });
})();
