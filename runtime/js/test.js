'use strict';
// node:test: tests, suites, hooks.

const { performance } = require('perf_hooks');
const { AbortError } = require('internal/errors');
const reporter = require('internal/test_report').choose();

const counts = { tests: 0, suites: 0, pass: 0, fail: 0, cancelled: 0, skipped: 0, todo: 0 };
const began = performance.now();
let scheduled = false;

// Where the program made the test.
function placeOf({ stack }) {
  const match = /^ {4}at (?:.*\()?(?:file:\/\/)?(\/[^()]*:\d+:\d+)\)?$/m.exec(stack);
  return match === null ? '' : match[1];
}

class Test {
  children = [];
  notes = [];
  place = placeOf(new Error());
  hooks = { before: [], after: [], beforeEach: [], afterEach: [] };
  running = Promise.resolve();
  failedChildren = 0;
  error = null;
  duration = 0;

  constructor(parent, name, options, work, isSuite) {
    Object.assign(this, {
      parent,
      name,
      options,
      work,
      isSuite,
      depth: parent ? parent.depth + 1 : -1,
      controller: new AbortController(),
    });
    this.skip = options.skip;
    this.todo = options.todo;
  }

  get path() {
    return this.parent && this.parent.parent ? `${this.parent.path} > ${this.name}` : this.name;
  }

  // Children run one after the other.
  add(child) {
    this.children.push(child);
    const result = this.running.then(() => child.run());
    this.running = result.then(() => {});
    return result;
  }

  async each(kind, context) {
    if (this.parent) {
      if (kind === 'beforeEach') await this.parent.each(kind, context);
    }
    for (const hook of this.hooks[kind]) await hook.call(context, context);
    if (this.parent && kind === 'afterEach') await this.parent.each(kind, context);
  }

  async body() {
    const context = new TestContext(this);
    if (this.isSuite) {
      for (const hook of this.hooks.before) await hook(context);
      this.open();
      await this.running;
      for (const hook of this.hooks.after) await hook(context);
      return;
    }
    await this.parent.each('beforeEach', context);
    try {
      if (this.work.length > 1) {
        await new Promise((resolve, reject) => {
          this.work(context, (error) => (error ? reject(error) : resolve()));
        });
      } else {
        await this.work(context);
      }
      await this.running;
      for (const hook of this.hooks.after) await hook(context);
    } finally {
      await this.parent.each('afterEach', context);
    }
  }

  async run() {
    const start = performance.now();
    let timer;
    reporter.start(this);
    try {
      if (!this.skip && this.work) {
        const { timeout } = this.options;
        const limit = new Promise((resolve, reject) => {
          if (!(timeout > 0) || timeout === Infinity) return;
          timer = setTimeout(() => {
            const error = new Error(`test timed out after ${timeout}ms`);
            error.code = 'ERR_TEST_FAILURE';
            error.failureType = 'testTimeoutFailure';
            this.controller.abort(new AbortError());
            reject(error);
          }, timeout);
        });
        await Promise.race([this.body(), limit]);
      }
      if (this.failedChildren > 0) {
        const error = new Error(
          `${this.failedChildren} subtest${this.failedChildren > 1 ? 's' : ''} failed`
        );
        error.code = 'ERR_TEST_FAILURE';
        error.failureType = 'subtestsFailed';
        throw error;
      }
    } catch (error) {
      this.error = error ?? new Error('test failed');
    }
    clearTimeout(timer);
    this.duration = performance.now() - start;
    this.report();
  }

  report() {
    const failed = this.error !== null && !this.todo;
    if (this.isSuite) {
      counts.suites++;
    } else {
      counts.tests++;
      if (this.skip) counts.skipped++;
      else if (this.todo) counts.todo++;
      else if (failed && this.error.failureType === 'testTimeoutFailure') counts.cancelled++;
      else if (failed) counts.fail++;
      else counts.pass++;
    }
    if (failed) {
      process.exitCode = 1;
      if (this.parent) this.parent.failedChildren++;
    }
    reporter.end(this);
  }

  // A suite's function only declares; its tests wait until it has run.
  declare() {
    const before = current;
    current = this;
    let gate;
    this.running = new Promise((resolve) => {
      gate = resolve;
    });
    this.open = gate;
    try {
      if (this.work && !this.skip) this.work(new TestContext(this));
    } catch (error) {
      this.error = error;
    } finally {
      current = before;
    }
  }
}

class TestContext {
  #test;

  constructor(test) { this.#test = test; }

  get name() { return this.#test.name; }

  get fullName() { return this.#test.path; }

  get signal() { return this.#test.controller.signal; }

  get assert() { return require('assert'); }

  get mock() { return mock; }

  test(...args) { return create(this.#test, args, false); }

  skip(why) { this.#test.skip = why ?? true; }

  todo(why) { this.#test.todo = why ?? true; }

  diagnostic(text) { this.#test.notes.push(`${text}`); }

  plan() {}

  before(work) { this.#test.hooks.before.push(work); return work(this); }

  after(work) { this.#test.hooks.after.push(work); }

  beforeEach(work) { this.#test.hooks.beforeEach.push(work); }

  afterEach(work) { this.#test.hooks.afterEach.push(work); }
}

const root = new Test(null, '<root>', {}, undefined, false);
let current = root;

function finish() {
  const total = performance.now() - began;
  for (const hook of root.hooks.after) hook();
  reporter.finish(root, { ...counts, duration_ms: total });
}

function schedule() {
  if (scheduled) return;
  scheduled = true;
  reporter.begin();
  process.once('beforeExit', () => root.running.then(finish));
}

function create(parent, args, isSuite, extra = {}) {
  schedule();
  const work = args.find((one) => typeof one === 'function');
  const options = args.find((one) => one !== null && typeof one === 'object') ?? {};
  const name =
    typeof args[0] === 'string' && args[0] !== '' ? args[0] : work?.name || '<anonymous>';
  const made = new Test(parent, name, { ...options, ...extra }, work ?? (() => {}), isSuite);
  if (isSuite) made.declare();
  return parent.add(made).then(() => undefined);
}

function maker(isSuite) {
  const make = (...args) => create(current, args, isSuite);
  make.skip = (...args) => create(current, args, isSuite, { skip: true });
  make.todo = (...args) => create(current, args, isSuite, { todo: true });
  make.only = make;
  return make;
}

// Functions that remember how they were called.
function mockFunction(original = () => {}, implementation = original) {
  const calls = [];
  const once = new Map();
  let begun = 0;
  let current = implementation;
  function mocked(...args) {
    const call = { arguments: args, this: this, stack: new Error(), target: new.target };
    const number = begun++;
    const work = once.get(number) ?? current;
    once.delete(number);
    try {
      call.result = new.target ? Reflect.construct(work, args, new.target)
        : Reflect.apply(work, this, args);
      return call.result;
    } catch (error) {
      call.error = error;
      throw error;
    } finally {
      calls.push(call);
    }
  }
  mocked.mock = {
    calls,
    callCount: () => calls.length,
    mockImplementation(next) { current = next; },
    mockImplementationOnce(next, at = begun) { once.set(at, next); },
    resetCalls() {
      calls.length = 0;
      begun = 0;
    },
    restore() { current = original; },
  };
  return mocked;
}

const restores = [];

function mockAccessor(object, name, kind, implementation) {
  let owner = object;
  while (owner !== null && !Object.hasOwn(owner, name)) owner = Object.getPrototypeOf(owner);
  const before = owner === null ? {} : Object.getOwnPropertyDescriptor(owner, name);
  const mocked = mockFunction(before[kind], implementation ?? before[kind]);
  const { get, set } = before;
  Object.defineProperty(object, name, { get, set, [kind]: mocked, configurable: true,
    enumerable: before.enumerable ?? true });
  const restore = () => {
    if (owner === object) Object.defineProperty(object, name, before);
    else delete object[name];
  };
  mocked.mock.restore = restore;
  restores.push(restore);
  return mocked;
}

const mock = {
  fn: mockFunction,
  method(object, name, implementation) {
    const original = object[name];
    const mocked = mockFunction(original, implementation ?? original);
    const own = Object.hasOwn(object, name);
    object[name] = mocked;
    const restore = () => {
      if (own) object[name] = original;
      else delete object[name];
    };
    mocked.mock.restore = restore;
    restores.push(restore);
    return mocked;
  },
  getter: (object, name, work) => mockAccessor(object, name, 'get', work),
  setter: (object, name, work) => mockAccessor(object, name, 'set', work),
  restoreAll() { for (const restore of restores.splice(0)) restore(); },
  reset() { mock.restoreAll(); },
};

const test = maker(false);
const suite = maker(true);
const hook = (kind) => (work) => { current.hooks[kind].push(work); };
module.exports = Object.assign(test, {
  test, it: maker(false), describe: suite, suite, mock,
  before: hook('before'), after: hook('after'), beforeEach: hook('beforeEach'),
  afterEach: hook('afterEach'),
});
