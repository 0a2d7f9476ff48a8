// nyc around mocha, with chai and sinon: what is covered, what is missed, what is faked
'use strict';
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { spawnSync } = require('node:child_process');

const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'coverage-'));
fs.writeFileSync(path.join(folder, 'package.json'), '{ "name": "project" }');
fs.symlinkSync(path.join(__dirname, 'node_modules'), path.join(folder, 'node_modules'));
fs.writeFileSync(path.join(folder, 'clock.js'), `const fs = require('fs');
exports.greeting = (now = new Date()) => {
  if (now.getHours() < 12) return 'morning';
  return now.getHours() < 18 ? 'day' : 'evening';
};
exports.tick = (times, done) => {
  let left = times;
  const timer = setInterval(() => { if (--left === 0) { clearInterval(timer); done(); } }, 60000);
};
exports.save = (name) => fs.promises.writeFile(name, exports.greeting()).catch(() => 'lost');
exports.missed = function () { return 'never called'; };
`);
fs.writeFileSync(path.join(folder, 'spec.js'), `const { expect } = require('chai');
const sinon = require('sinon');
const fs = require('fs');
const { execFileSync } = require('child_process');
const clock = require('./clock');
describe('clock', () => {
  afterEach(() => sinon.restore());
  it('greets', () => {
    expect(clock.greeting(new Date(2020, 0, 1, 9))).to.equal('morning');
    expect(clock.greeting(new Date(2020, 0, 1, 13))).to.match(/^d/).and.have.lengthOf(3);
  });
  it('ticks', () => {
    const time = sinon.useFakeTimers({ now: new Date(2020, 0, 1, 20) });
    const done = sinon.fake();
    clock.tick(3, done);
    time.tick(179999);
    expect(done.called).to.equal(false);
    time.tick(1);
    expect(done.callCount).to.equal(1);
    expect(clock.greeting()).to.equal('evening');
  });
  it('saves', async () => {
    sinon.stub(fs.promises, 'writeFile').rejects(new Error('full'));
    expect(await clock.save('/nowhere')).to.equal('lost');
    sinon.assert.calledOnceWithMatch(fs.promises.writeFile, '/nowhere', sinon.match.string);
  });
  it('is seen in children', () => {
    expect(execFileSync(process.execPath, ['-p', 'require("./clock").greeting(new Date(0)).length'],
      { encoding: 'utf8', cwd: __dirname }).trim()).to.equal('7');
  });
  it('says what differs', () => expect({ a: [1, 2] }).to.deep.equal({ a: [1, 3] }));
});
`);
const bin = (name) => path.join(__dirname, 'node_modules', name);
const { stdout, stderr, status } = spawnSync(process.execPath, [bin('nyc/bin/nyc.js'),
  '--reporter=text', '--reporter=lcovonly', '--check-coverage', '--lines=100', process.execPath,
  bin('mocha/bin/mocha.js'), '--no-color', 'spec.js'], { encoding: 'utf8', cwd: folder });
const tidy = (text) => text.replace(/\(\d+ms\)/g, '(T)').replace(/^ +at .*\n/gm, '').trim();
console.log(status, tidy(stdout));
console.log(tidy(stderr));
console.log(fs.readFileSync(path.join(folder, 'coverage/lcov.info'), 'utf8'));
fs.rmSync(folder, { recursive: true });
