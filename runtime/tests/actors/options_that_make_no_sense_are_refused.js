'use strict';
const assert = require('assert');
const actors = require('phasor:actors');
const { openSystem, EXAMPLE } = require('./modules/system');

(async () => {
  assert.throws(() => actors.open({ workers: 0 }), { code: 'ERR_INVALID_ARG_VALUE' });
  assert.throws(() => require('actors'), { code: 'MODULE_NOT_FOUND' });
  const all = openSystem(1);
  for (const options of [{ restarts: -1 }, { mailbox: 1.5 }, { pause: '5' }, { worker: 1 }]) {
    assert.throws(() => all.system.start(EXAMPLE, options), { code: 'ERR_INVALID_ARG_VALUE' });
  }
  for (const options of [null, 5, { name: '' }, { name: 5 }]) {
    assert.throws(() => all.system.start(EXAMPLE, options), { code: 'ERR_INVALID_ARG_TYPE' });
  }
  assert.throws(() => all.system.start(5), { code: 'ERR_INVALID_ARG_TYPE' });
  const actor = all.system.start(EXAMPLE, { data: all.data });
  assert.throws(() => actor.send(() => {}), { name: 'DataCloneError' });
  assert.throws(() => actor.link('one'), { code: 'ERR_INVALID_ARG_TYPE' });
  await all.close();
})();
