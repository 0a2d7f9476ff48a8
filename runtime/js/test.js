'use strict';
// node:test: tests, suites, hooks.

const { Test, Suite } = require('internal/test/test');
const { current, rootOfProgram } = require('internal/test/harness');

function parentNow() {
  const test = current.getStore();
  return test !== undefined && !test.isReporter ? test : rootOfProgram();
}

function maker(Kind) {
  const make = (name, options, fn, overrides) => {
    const parent = parentNow();
    const made = parent.createSubtest(Kind, name, options, fn, overrides);
    return parent.isSuite ? Promise.resolve() : made.start();
  };
  const named = function(name, options, fn) { return make(name, options, fn, {}); };
  for (const keyword of ['skip', 'todo', 'only']) {
    named[keyword] = (name, options, fn) => make(name, options, fn, { [keyword]: true });
    Object.defineProperty(named[keyword], 'name', { value: keyword });
  }
  return named;
}

const test = maker(Test);
const suite = maker(Suite);
Object.defineProperty(test, 'name', { value: 'test' });
Object.defineProperty(suite, 'name', { value: 'suite' });

function hook(kind) {
  return (fn, options) => { parentNow().addHook(kind, fn, options); };
}

module.exports = Object.assign(test, {
  after: hook('after'), afterEach: hook('afterEach'), before: hook('before'),
  beforeEach: hook('beforeEach'), describe: suite, it: test,
  run: (options) => require('internal/test/run').run(options), suite, test,
});

let mock;
Object.defineProperty(module.exports, 'mock', {
  configurable: true,
  enumerable: true,
  get() {
    mock ??= new (require('internal/test/mock').MockTracker)();
    return mock;
  },
});
