// A spec file with passing, failing and pending tests, through its command.
'use strict';
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { spawnSync } = require('node:child_process');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mocha-'));
const file = path.join(folder, 'spec.js');
fs.writeFileSync(file, `
const assert = require('assert');
describe('numbers', () => {
  let start;
  before(() => { start = 1; });
  beforeEach(() => { start += 1; });
  it('add', () => assert.strictEqual(1 + 1, 2));
  it('wait', (done) => setTimeout(done, 5));
  it('promise', async () => { await null; assert.ok(start > 1); });
  it('fails', () => assert.strictEqual(1, 2));
  it('is pending');
  describe('inner', () => { it('works', () => {}); });
});
`);
const bin = path.join(__dirname, 'node_modules/mocha/bin/mocha.js');
const { stdout, stderr, status } = spawnSync(process.execPath, [bin, '--no-color', file],
  { encoding: 'utf8' });
console.log(status);
console.log(stdout.replace(/\(\d+ms\)/g, '(N ms)').replace(/^ +at .*$/gm, '').trim());
console.log(stderr.trim());
fs.rmSync(folder, { recursive: true });
