// A project with mocks, snapshots, false timers, coverage and two processes, through its command.
'use strict';
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { spawnSync } = require('node:child_process');

const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'jest-'));
const project = {
  'package.json': '{ "name": "project", "jest": { "testEnvironment": "node" } }',
  'basket.js': `const { price } = require('./prices');
exports.total = (names) => names.reduce((sum, name) => sum + price(name), 0);
exports.later = (work, ms) => new Promise((resolve) => setTimeout(() => resolve(work()), ms));
exports.never = () => { throw new RangeError('not reached'); };
`,
  'prices.js': `exports.price = (name) => { throw new Error('no network for ' + name); };\n`,
  'basket.test.js': `jest.mock('./prices');
const { price } = require('./prices');
const { total, later } = require('./basket');
beforeEach(() => price.mockReset());
test('asks for each price', () => {
  price.mockImplementation((name) => name.length);
  expect(total(['tea', 'milk'])).toBe(7);
  expect(price.mock.calls).toEqual([['tea'], ['milk']]);
  expect(price).toHaveBeenCalledTimes(2);
});
test('is written down', () => {
  expect({ list: [1, 'two', null], map: new Map([['a', { b: /x/g }]]), at: new Date(0) })
    .toMatchSnapshot();
  expect(total([])).toMatchInlineSnapshot('0');
});
describe('time', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());
  test('passes at once', async () => {
    const done = later(() => 'done', 3_600_000);
    jest.advanceTimersByTime(3_600_000);
    await expect(done).resolves.toBe('done');
    expect(jest.getTimerCount()).toBe(0);
  });
});
test.each([[1, 1], [2, 4]])('square of %i', (n, square) => expect(n * n).toBe(square));
test.failing('is known to fail', () => { expect(1).toBe(2); });
test.skip('is left out', () => {});
`,
  'world.test.js': `test('its world is its own', () => {
  expect(globalThis.leaked).toBeUndefined();
  expect([] instanceof Array).toBe(true);
  expect(new Error('x')).toBeInstanceOf(Error);
  expect(Buffer.from('a')).toBeInstanceOf(Uint8Array);
  expect(new Set([{ a: 1n }])).toEqual(new Set([{ a: 1n }]));
  expect(() => JSON.parse('{')).toThrow(SyntaxError);
});
test('fails', () => expect({ a: 1, b: [1, 2] }).toEqual({ a: 1, b: [1, 3], c: undefined }));
test('rejects', () => expect(Promise.reject(new TypeError('no'))).rejects.toThrow('yes'));
test('spies', () => {
  const spy = jest.spyOn(console, 'log').mockImplementation(() => {});
  console.log('hidden');
  expect(spy).toHaveBeenCalledWith('hidden');
  spy.mockRestore();
});
afterAll(() => { globalThis.leaked = 1; });
`,
  'modules.test.js': `test('required once more', () => {
  const first = require('./basket');
  jest.isolateModules(() => expect(require('./basket')).not.toBe(first));
  jest.doMock('./prices', () => ({ price: () => 5 }));
  jest.resetModules();
  expect(require('./basket').total(['x', 'y'])).toBe(10);
  expect(globalThis.leaked).toBeUndefined();
});
`,
};
for (const [name, text] of Object.entries(project)) fs.writeFileSync(path.join(folder, name), text);

// What varies: times, places, and in which order the files end.
function tidy(text) {
  return text.replaceAll(folder, 'FOLDER').replace(/ \(\d+(\.\d+)? m?s\)/g, '')
    .replace(/^Time:.*$/m, 'Time').replace(/^ +at .*\n/gm, '').replace(/^ *\| +\^$/gm, '')
    .replace(/ +$/gm, '').trim();
}

function run(...words) {
  const bin = path.join(__dirname, 'node_modules/jest/bin/jest.js');
  const { stdout, stderr, status } = spawnSync(process.execPath, [bin, '--no-cache', ...words],
    { encoding: 'utf8', cwd: folder, env: { ...process.env, CI: '', FORCE_COLOR: '0' } });
  console.log(words, status);
  return [tidy(stdout), tidy(stderr)];
}
console.log(run('--runInBand', '--coverage', 'basket').join('\n'));
console.log(fs.readFileSync(path.join(folder, '__snapshots__/basket.test.js.snap'), 'utf8'));
console.log(run('--runInBand', '--ci', 'world', '--noStackTrace')[1]);
console.log(run('--maxWorkers=2', 'basket', 'modules')[1].split('\n').sort());
fs.rmSync(folder, { recursive: true });
