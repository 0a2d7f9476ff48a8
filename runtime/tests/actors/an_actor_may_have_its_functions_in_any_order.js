'use strict';
const assert = require('assert');
const path = require('path');
const { openSystem } = require('./modules/system');

(async () => {
  const all = openSystem();
  const file = path.join(__dirname, 'modules/receiver_first.js');
  const actor = all.system.start(file, { data: all.data });
  actor.send('hello');
  assert.deepStrictEqual(await all.report(), { message: 'hello' });
  actor.stop();
  assert.strictEqual(await actor.ended, undefined);
  await all.close();
})();
