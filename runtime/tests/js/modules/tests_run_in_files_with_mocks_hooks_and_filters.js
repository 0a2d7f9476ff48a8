'use strict';
// run() and --test: files in processes of their own, reporters, filters, mocks, timers of a test.
const fs = require('fs');
const path = require('path');
const os = require('os');
const { spawnSync } = require('child_process');
const { run } = require('node:test');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tests-'));
const write = (name, text) => {
  fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  fs.writeFileSync(path.join(folder, name), `'use strict';
const assert = require('node:assert');
const { test, describe, it, before, after, beforeEach, afterEach, mock } = require('node:test');
${text}`);
};

write('a.test.js', `
test('passes', () => {});
test('fails', () => { throw new Error('bad'); });
test('skipped', { skip: 'why' }, () => {});
test('planned', { todo: true }, () => { throw new Error('later'); });
test('times out', { timeout: 20 }, () => new Promise((f) => setTimeout(f, 5000).unref()));
test('parent', async (t) => {
  await t.test('child', () => {});
  t.diagnostic('a note');
});
console.log('printed');
`);
write('test/hooks.js', `
const said = [];
describe('hooks', () => {
  before(() => said.push('before'));
  beforeEach((t) => said.push('each ' + t.name));
  afterEach((t) => said.push('after ' + t.name));
  after(() => { said.push('after'); assert.deepStrictEqual(said, ['before', 'each one', '1',
    'after one', 'each two', '2', 'after two', 'after']); });
  it('one', () => said.push('1'));
  it('two', (t, done) => { said.push('2'); setImmediate(done); });
});
describe('together', { concurrency: true }, () => {
  let first = false;
  it('waits', async () => { await new Promise(setImmediate); first = true; });
  it('does not wait', () => assert.strictEqual(first, false));
});
`);
write('node_modules/x.test.js', "test('never', () => { throw 1; });");
write('mocks_test.js', `
test('functions', (t) => {
  const add = t.mock.fn((a, b) => a + b);
  assert.strictEqual(add(1, 2), 3);
  add.mock.mockImplementationOnce(() => 9);
  assert.strictEqual(add(1, 2), 9);
  assert.strictEqual(add.mock.callCount(), 2);
  const object = { method() { return 1; }, get value() { return 2; } };
  t.mock.method(object, 'method', () => 5);
  t.mock.getter(object, 'value', () => 6);
  assert.deepStrictEqual([object.method(), object.value], [5, 6]);
  t.mock.restoreAll();
  assert.deepStrictEqual([object.method(), object.value], [1, 2]);
  assert.throws(() => t.mock.method(object, 'absent'), { code: 'ERR_INVALID_ARG_VALUE' });
});
test('timers', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: 1000 });
  const said = [];
  setTimeout(() => said.push('timeout'), 100);
  const every = setInterval(() => said.push(Date.now()), 40);
  t.mock.timers.tick(120);
  clearInterval(every);
  assert.deepStrictEqual(said, [1120, 1120, 'timeout', 1120]);
  t.mock.timers.reset();
  assert.ok(Date.now() > 5000);
});
`);

function told(...args) {
  const { stdout, status } = spawnSync(process.execPath, args, { cwd: folder,
    env: { ...process.env, NODE_TEST_CONTEXT: undefined, NODE_OPTIONS: '--no-warnings' } });
  const isFrame = /^\s+(?:at )?\S.*:\d+:\d+\)?$/;
  const lines = `${stdout}`.split('\n').filter((line) => !isFrame.test(line));
  console.log(args.slice(0, -1), status);
  for (const line of lines) {
    if (/stack: |^\s+TestContext|async |node:|Test\.|^\s*$/.test(line)) continue;
    console.log(line.replaceAll(folder, '.').replace(/\d+\.\d+/g, 'N').replace(/:\d+:\d+/g, ''));
  }
}

async function inProcess() {
  const counts = {};
  const files = ['a.test.js', 'mocks_test.js'].map((name) => path.join(folder, name));
  for await (const { type, data } of run({ files, concurrency: 1 })) {
    counts[type] = (counts[type] ?? 0) + 1;
    if (type === 'test:pass' || type === 'test:fail') {
      console.log(type, data.name, data.nesting, data.testNumber, data.skip, data.todo,
        path.basename(data.file), data.details.error?.failureType);
    }
  }
  for (const type of ['test:pass', 'test:fail', 'test:start']) console.log(type, counts[type]);
  for (const wrong of [{ files: 1 }, { shard: {} }, { shard: { total: 2, index: 3 } }, { only: 1 },
    { testNamePatterns: [1] }, { setup: 1 }, { forceExit: true, watch: true }]) {
    try {
      run(wrong);
    } catch (error) {
      console.log(error.code, error.message);
    }
  }
}

told('--test-reporter=tap', 'a.test.js');
told('--test', '--test-concurrency=1', '--test-reporter=spec', '.');
told('--test', '--test-reporter=dot', 'mocks_test.js');
told('--test-reporter=junit', 'mocks_test.js');
told('--test', '--test-name-pattern=/^pass/', '--test-reporter=tap', 'a.test.js');
told('--test', '--test-shard=2/2', '--test-reporter=dot', '.');
inProcess().finally(() => fs.rmSync(folder, { recursive: true }));
