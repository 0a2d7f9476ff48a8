const test = require('node:test');
const assert = require('node:assert');
const { describe, it, before, after, beforeEach, afterEach, mock } = test;
test('passes', () => {});
test('passes later', async () => { await new Promise((f) => setTimeout(f, 2)); });
test('with a callback', (t, done) => setImmediate(done));
test('has subtests', async (t) => {
  await t.test('inner', () => {});
  await t.test('inner skipped', { skip: true }, () => {});
});
test('skipped', { skip: 'for a reason' }, () => {});
test('to do', { todo: true }, () => {});
test('skips itself', (t) => t.skip('inside'));
test('tells', (t) => t.diagnostic('a note'));
describe('a suite', () => {
  before(() => {});
  after(() => {});
  beforeEach(() => {});
  afterEach(() => {});
  it('works', () => {});
  it.skip('not now', () => {});
  it.todo('some day');
  describe('inside', () => { it('deep', () => {}); });
});
test('mocks', () => {
  const f = mock.fn((a) => a + 1);
  assert.strictEqual(f(1), 2);
  assert.strictEqual(f.mock.calls.length, 1);
  assert.deepStrictEqual(f.mock.calls[0].arguments, [1]);
  const object = { m() { return 1; } };
  mock.method(object, 'm', () => 5);
  assert.strictEqual(object.m(), 5);
  mock.restoreAll();
  assert.strictEqual(object.m(), 1);
});
