'use strict';
// What a test's function gets.

const { MockTracker } = require('internal/test/mock');

const UNCOPIED = ['AssertionError', 'CallTracker', 'strict'];
let assertions;

function assertNames() {
  assertions ??= Object.keys(require('assert')).filter((name) => !UNCOPIED.includes(name));
  return assertions;
}

class TestContext {
  #test;
  #assert;

  constructor(test) { this.#test = test; }

  get signal() { return this.#test.signal; }

  get name() { return this.#test.name; }

  get fullName() {
    let name = this.#test.name;
    for (let at = this.#test.parent; at !== null && at.parent !== null; at = at.parent) {
      name = `${at.name} > ${name}`;
    }
    return name;
  }

  get error() { return this.#test.error; }

  get passed() { return this.#test.passed; }

  diagnostic(message) { this.#test.diagnostic(message); }

  plan(count) {
    if (this.#test.plan !== null) {
      const { failure, KINDS } = require('internal/test/failure');
      throw failure('cannot set plan more than once', KINDS.code);
    }
    this.#test.setPlan(count);
  }

  get assert() {
    if (this.#assert !== undefined) return this.#assert;
    const assert = require('assert');
    const test = this.#test;
    const own = {};
    for (const name of assertNames()) {
      const method = assert[name];
      own[name] = (...args) => {
        if (test.plan !== null) test.plan.actual++;
        return Reflect.apply(method, assert, args);
      };
    }
    this.#assert = own;
    return own;
  }

  get mock() {
    this.#test.ownMock ??= new MockTracker();
    return this.#test.ownMock;
  }

  runOnly(value) { this.#test.runOnlySubtests = Boolean(value); }

  skip(message) { this.#test.skip(message); }

  todo(message) { this.#test.todo(message); }

  test(name, options, fn) {
    const test = this.#test;
    if (test.plan !== null) test.plan.actual++;
    const { Test } = require('internal/test/test');
    return test.createSubtest(Test, name, options, fn).start();
  }

  before(fn, options) { this.#test.addHook('before', fn, options); }

  after(fn, options) { this.#test.addHook('after', fn, options); }

  beforeEach(fn, options) { this.#test.addHook('beforeEach', fn, options); }

  afterEach(fn, options) { this.#test.addHook('afterEach', fn, options); }
}

class SuiteContext {
  #suite;

  constructor(suite) { this.#suite = suite; }

  get signal() { return this.#suite.signal; }

  get name() { return this.#suite.name; }

  get fullName() {
    let name = this.#suite.name;
    for (let at = this.#suite.parent; at !== null && at.parent !== null; at = at.parent) {
      name = `${at.name} > ${name}`;
    }
    return name;
  }
}

module.exports = { TestContext, SuiteContext };
