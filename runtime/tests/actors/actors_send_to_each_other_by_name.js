'use strict';
const assert = require('assert');
const { openSystem, EXAMPLE } = require('./modules/system');

(async () => {
  const all = openSystem();
  const one = all.system.start(EXAMPLE, { name: 'one', data: all.data, worker: 0 });
  const two = all.system.start(EXAMPLE, { name: 'two', data: all.data, worker: 1 });
  assert.strictEqual(all.system.find('two'), two);
  assert.throws(() => all.system.start(EXAMPLE, { name: 'one' }), { code: 'ERR_ACTOR_EXISTS' });
  one.send({ to: 'two', text: 'hello' });
  one.send({ to: two.number, text: 'report' });
  assert.deepStrictEqual((await all.report()).seen, ['hello']);
  one.send({ to: 'nobody', text: 'lost' });
  await two.stop();
  assert.strictEqual(all.system.find('two'), undefined);
  all.system.start(EXAMPLE, { name: 'two', data: all.data });
  await all.close();
})();
