const test = require('node:test');
const assert = require('node:assert');
test('is not equal', () => { assert.strictEqual(1, 2); });
test('throws', () => { throw new TypeError('plain'); });
test('rejects with text', () => Promise.reject('text'));
test('has a failing subtest', async (t) => {
  await t.test('inner', () => { throw new Error('inner failed'); });
  await t.test('inner fine', () => {});
});
test('may fail', { todo: true }, () => { throw new Error('not yet'); });
test.describe('a suite', () => {
  test.it('fails inside', () => { assert.ok(false, 'a message'); });
});
test('is too slow', { timeout: 5 }, () => new Promise((f) => setTimeout(f, 60)));
