'use strict';
// One test, suite or hook: when it runs, how it ends, who reports it.

const { AsyncResource } = require('async_hooks');
const { setMaxListeners } = require('events');
const { AbortError, invalidArgType } = require('internal/errors/errors');
const { validateAbortSignal, validateFunction, validateNumber, validateOneOf, validateUint32 } =
  require('internal/errors/validators');
const { failure, isFailure, KINDS } = require('internal/test/failure');
const { wants } = require('internal/test/filter');

const LONGEST = 2 ** 31 - 1;
const noop = () => {};
const now = () => process.hrtime.bigint();

// Where the program made the test.
function placeOf() {
  const { stack } = new Error();
  for (const line of stack.split('\n').slice(1)) {
    const match = /^ {4}at (?:.*\()?(?:file:\/\/)?(\/[^()]*):(\d+):(\d+)\)?$/.exec(line);
    if (match) return { file: match[1], line: +match[2], column: +match[3] };
  }
  return undefined;
}

// Frames of the runner say nothing to people; a test's function is called with its context.
function tidyStack(error) {
  const lines = `${error.stack}`.split('\n');
  const own = lines.findIndex((line) => /^ {4}at .*node:internal\/test\/test:/.test(line));
  if (own === -1) return;
  lines[own - 1] = lines[own - 1].replace(/^ {4}at ((?:file:\/\/)?\/.*:\d+:\d+)$/,
    '    at TestContext.<anonymous> ($1)');
  const { writable } = Object.getOwnPropertyDescriptor(error, 'stack') ?? {};
  if (writable) error.stack = lines.slice(0, own).join('\n');
}

function checkedConcurrency(value, parent) {
  switch (typeof value) {
    case 'number':
      validateUint32(value, 'options.concurrency', true);
      return value;
    case 'boolean':
      if (!value) return 1;
      return parent === null ? Math.max(require('os').availableParallelism() - 1, 1) : Infinity;
    default:
      if (value !== null && value !== undefined) {
        throw invalidArgType('options.concurrency', ['boolean', 'number'], value);
      }
      return parent === null ? 1 : parent.concurrency;
  }
}

class Test extends AsyncResource {
  reportedType = 'test';
  subtests = [];
  notes = [];
  activeSubtests = 0;
  pendingSubtests = [];
  error = null;
  passed = false;
  finished = false;
  cancelled = false;
  startTime = null;
  endTime = null;
  isReported = false;
  hasStarted = false; // its start was reported
  nextReport = 0; // of the subtests: the one that is reported next
  plan = null;
  controller = new AbortController();

  constructor({ fn, name, parent, options = {}, place, root }) {
    super('Test');
    name = typeof name === 'string' && name !== '' ? name : fn?.name || '<anonymous>';
    if (typeof fn !== 'function') fn = noop;
    const { timeout = null, signal } = options;
    this.name = name;
    this.parent = parent;
    this.root = parent === null ? root ?? this : parent.root;
    this.fn = fn;
    this.place = place;
    this.nesting = parent === null || parent.parent === null ? 0 : parent.nesting + 1;
    this.concurrency = checkedConcurrency(options.concurrency, parent);
    if (timeout !== null && timeout !== undefined && timeout !== Infinity) {
      validateNumber(timeout, 'options.timeout', 0, LONGEST);
    }
    this.timeout = timeout ?? parent?.timeout ?? Infinity;
    this.config = parent === null ? options.config : parent.config;
    this.isTodo = options.todo !== undefined && options.todo !== false;
    this.skipped = false;
    this.message = undefined;
    this.only = Boolean(options.only);
    this.runOnlySubtests = false;
    this.hooks = {
      before: [], after: [], ownAfterEach: 0,
      beforeEach: parent === null ? [] : [...parent.hooks.beforeEach],
      afterEach: parent === null ? [] : [...parent.hooks.afterEach],
    };
    this.choose(options);
    validateAbortSignal(signal, 'options.signal');
    this.outerSignal = signal;
    this.watchSignals();
    this.testNumber = parent === null ? 0 : parent.subtests.push(this);
    if (options.plan !== undefined) this.setPlan(options.plan);
  }

  get signal() { return this.controller.signal; }

  choose(options) {
    const { parent } = this;
    const message = (value) => (typeof value === 'string' ? value : undefined);
    if (options.todo) this.message = message(options.todo);
    const why = parent === null ? undefined : wants(this, this.config);
    if (why !== undefined) this.skip(why);
    else if (options.skip !== undefined && options.skip !== false) {
      this.skip(message(options.skip));
    }
    if (options.skip !== undefined && options.skip !== false) this.fn = noop;
    if (why !== undefined) this.fn = noop;
  }

  // Every test below it listens to a test's signal.
  watchSignals() {
    setMaxListeners(0, this.controller.signal);
    const abort = () => this.controller.abort();
    for (const signal of [this.outerSignal, this.parent?.signal]) {
      if (!signal) continue;
      if (signal.aborted) abort();
      else signal.addEventListener('abort', abort, { once: true });
    }
    this.outerSignal?.addEventListener('abort', () => this.onOuterAbort(), { once: true });
  }

  onOuterAbort() {
    if (!this.finished) this.cancel();
  }

  hasConcurrency() { return this.concurrency > this.activeSubtests; }

  createSubtest(Kind, name, options, fn, overrides = {}) {
    if (typeof name === 'function') {
      fn = name;
    } else if (name !== null && typeof name === 'object') {
      fn = options;
      options = name;
    } else if (typeof options === 'function') {
      fn = options;
    }
    if (options === null || typeof options !== 'object') options = {};
    const place = overrides.place ?? placeOf();
    delete overrides.place;
    let parent = this;
    // A test that ended can't have others: the closest that still runs has a failed one instead.
    const isLate = this.finished || this.endTime !== null;
    while (parent.parent !== null && (parent.finished || parent.endTime !== null)) {
      parent = parent.parent;
    }
    const made = new Kind({ fn: isLate ? noop : fn, name, parent,
      options: { __proto__: null, ...options, ...overrides }, place });
    if (isLate) {
      made.lateError = failure('test could not be started because its parent finished', KINDS.late);
      made.startTime = now();
      made.fail(made.lateError);
    }
    return made;
  }

  start() {
    this.root.reporter.enqueue(this);
    if (this.lateError !== undefined) {
      this.postRun();
      return Promise.resolve();
    }
    if (this.parent.hasConcurrency()) {
      this.parent.activeSubtests++;
      return this.begin();
    }
    return new Promise((resolve) => {
      this.parent.pendingSubtests.push(() => this.begin().then(resolve));
    });
  }

  begin() {
    this.root.reporter.dequeue(this);
    return this.run();
  }

  startNext() {
    while (this.pendingSubtests.length > 0 && this.hasConcurrency()) {
      this.activeSubtests++;
      this.pendingSubtests.shift()();
    }
  }

  isAborted() {
    if (!this.signal.aborted && !this.outerSignal?.aborted) return false;
    this.cancel();
    return true;
  }

  cancel(error) {
    if (this.endTime !== null || this.error !== null) return;
    this.fail(error ?? failure('The operation was aborted', KINDS.aborted));
    if (error === undefined) {
      this.error = failure(this.signal.reason ?? new AbortError(), KINDS.aborted);
    }
    this.endTime = now();
    this.startTime ??= this.endTime;
    this.cancelled = true;
    this.controller.abort();
  }

  fail(error) {
    if (this.error !== null) return;
    this.passed = false;
    this.error = error;
  }

  pass() {
    if (this.endTime === null) this.passed = true;
  }

  skip(message) {
    this.skipped = true;
    this.message = message;
  }

  todo(message) {
    this.isTodo = true;
    this.message = message;
  }

  diagnostic(message) { this.notes.push(message); }

  setPlan(count) {
    validateUint32(count, 'count');
    this.plan = { expected: count, actual: 0 };
  }

  addHook(kind, fn, options) {
    validateFunction(fn, 'hook');
    const hook = new TestHook(fn, { parent: this, kind, options, place: placeOf() });
    if (kind === 'before' && this.startTime !== null && this.parent !== null && !this.isSuite) {
      hook.once = true;
      hook.run(this.context).then(() => {
        if (hook.error) this.fail(hook.error);
      });
    } else if (kind === 'before' || kind === 'after') {
      hook.once = true;
    }
    if (kind === 'afterEach') this.hooks.afterEach.splice(this.hooks.ownAfterEach++, 0, hook);
    else this.hooks[kind].push(hook);
  }

  async runHook(kind, context) {
    for (const hook of this.hooks[kind]) {
      await hook.run(context);
      if (hook.error) {
        const failed = hook.error;
        if (!hook.once) hook.error = null;
        throw failed;
      }
    }
  }

  get context() {
    this.ownContext ??= new (require('internal/test/context').TestContext)(this);
    return this.ownContext;
  }

  // Rejects when the time is over or somebody stops the test.
  limit() {
    let timer;
    let onAbort;
    const promise = new Promise((resolve, reject) => {
      if (this.timeout !== Infinity) {
        timer = setTimeout(() => reject(failure(
          `test timed out after ${this.timeout}ms`, KINDS.timeout)), this.timeout).unref();
      }
      onAbort = () => reject(failure(this.signal.reason ?? new AbortError(), KINDS.aborted));
      this.signal.addEventListener('abort', onAbort, { once: true });
    });
    promise.catch(noop);
    return { promise, end: () => {
      clearTimeout(timer);
      this.signal.removeEventListener('abort', onAbort);
    } };
  }

  // A promise if there is something to wait for: a test that is not awaited ends before the one
  // that it is in if nothing in it waits.
  callWork(context, limit) {
    const { fn } = this;
    if (fn.length !== this.argumentCount + 1) {
      const returned = this.enter(() => Reflect.apply(fn, context, this.argumentsOf(context)));
      return typeof returned?.then === 'function' ? Promise.race([returned, limit]) : undefined;
    }
    let calls = 0;
    let settle;
    const called = new Promise((resolve, reject) => {
      settle = (error) => {
        calls++;
        if (calls > 1) {
          const twice = failure('callback invoked multiple times', KINDS.twice);
          if (calls === 2 && !this.finished) this.fail(twice);
          else throw twice;
        } else if (error) {
          reject(error);
        } else {
          resolve();
        }
      };
    });
    const returned = this.enter(() =>
      Reflect.apply(fn, context, [...this.argumentsOf(context), settle]));
    if (typeof returned?.then === 'function') {
      this.fail(failure('passed a callback but also returned a Promise', KINDS.mismatch));
      return Promise.race([returned, limit]);
    }
    return Promise.race([called, limit]);
  }

  // What the work starts belongs to this test.
  enter(work) {
    const { current } = require('internal/test/harness');
    return this.runInAsyncScope(() => current.run(this, work));
  }

  get argumentCount() { return 1; }

  argumentsOf(context) { return [context]; }

  async run() {
    this.startTime ??= now();
    if (this.isAborted()) {
      this.postRun();
      return;
    }
    const { parent, context } = this;
    let ended = false;
    const afterEach = async () => {
      if (ended || this.skipped || parent === null) return;
      ended = true;
      await parent.runHook('afterEach', context);
    };
    let limit;
    try {
      if (parent?.hooks.before.length > 0) await parent.runHook('before', parent.context);
      if (parent?.hooks.beforeEach.length > 0 && !this.skipped) {
        await parent.runHook('beforeEach', context);
      }
      limit = this.limit();
      const pending = this.callWork(context, limit.promise);
      if (pending !== undefined) await pending;
      if (this.isAborted()) {
        this.postRun();
        return;
      }
      this.checkPlan();
      this.pass();
      await afterEach();
      await this.runHook('after', context);
    } catch (error) {
      this.takeError(error);
      await afterEach().catch(noop);
      await this.runHook('after', context).catch(noop);
    } finally {
      limit?.end();
      if (parent !== null) this.controller.abort();
    }
    this.postRun();
  }

  checkPlan() {
    if (this.plan === null) return;
    const { expected, actual } = this.plan;
    if (expected !== actual) {
      throw failure(`plan expected ${expected} assertions but received ${actual}`, KINDS.code);
    }
  }

  takeError(error) {
    if (binding('util').isError(error)) tidyStack(error);
    if (!isFailure(error)) {
      this.fail(failure(error, KINDS.code));
    } else if (error.failureType === KINDS.timeout || error.failureType === KINDS.aborted) {
      this.cancel(error);
    } else {
      this.fail(error);
    }
  }

  // Subtests that did not end end with their parent.
  endSubtests(error) {
    let failed = 0;
    this.pendingSubtests = [];
    for (const subtest of this.subtests) {
      if (!subtest.finished) {
        subtest.cancel(error ?? failure(
          'test did not finish before its parent and was cancelled', KINDS.cancelled));
        subtest.postRun(error);
      }
      if (!subtest.passed && !subtest.isTodo && !subtest.skipped) failed++;
    }
    return failed;
  }

  postRun(error) {
    if (this.finished) return;
    this.startTime ??= now();
    this.endTime ??= now();
    const failed = this.endSubtests(error);
    if (failed > 0 && (this.passed || this.parent === null)) {
      this.fail(failure(`${failed} subtest${failed > 1 ? 's' : ''} failed`, KINDS.subtests));
    }
    this.finished = true;
    this.ownMock?.reset();
    this.root.reporter.complete(this);
    if (this.parent !== null) {
      this.parent.activeSubtests--;
      this.parent.startNext();
      this.root.reporter.ready(this.parent);
    }
    if (this.parent === this.root && this.root.onSubtestEnd) this.root.onSubtestEnd();
  }

  get duration() {
    return Number((this.endTime ?? now()) - (this.startTime ?? now())) / 1e6;
  }
}

class TestHook extends Test {
  reportedType = 'hook';
  once = false;
  hasRun = false;

  constructor(fn, { parent, kind, options = {}, place }) {
    const { timeout, signal } = options;
    super({ fn, name: `<${kind}>`, parent: null, place, root: parent.root,
      options: { timeout, signal, config: parent.config } });
    this.owner = parent;
    this.kind = kind;
    this.nesting = parent.nesting;
  }

  async run(context) {
    if (this.once && this.hasRun) return;
    this.hasRun = true;
    if (this.once) this.startTime = now();
    let limit;
    try {
      if (this.signal.aborted || this.outerSignal?.aborted) {
        throw failure(this.signal.reason ?? new AbortError(), KINDS.aborted);
      }
      limit = this.limit();
      await this.callWork(context, limit.promise);
    } catch (error) {
      const known = isFailure(error) &&
        (error.failureType === KINDS.timeout || error.failureType === KINDS.aborted);
      const failed = known ? error : failure(error, KINDS.hook);
      failed.cause ??= error;
      failed.failureType = known ? error.failureType : KINDS.hook;
      this.error = failed;
    } finally {
      limit?.end();
      this.finished = true;
    }
  }
}

class Suite extends Test {
  reportedType = 'suite';
  isSuite = true;

  constructor(options) {
    super(options);
    this.building = Promise.resolve();
    try {
      const { SuiteContext } = require('internal/test/context');
      this.ownContext = new SuiteContext(this);
      const returned = this.enter(() =>
        Reflect.apply(this.fn, this.ownContext, [this.ownContext]));
      if (typeof returned?.then === 'function') {
        this.building = returned.then(noop, (error) => this.fail(failure(error, KINDS.code)));
      }
    } catch (error) {
      this.fail(failure(error, KINDS.code));
    }
    this.fn = noop;
  }

  async run() {
    this.startTime ??= now();
    const { parent, context } = this;
    let limit;
    try {
      await this.building;
      if (this.error !== null || this.isAborted()) {
        this.postRun();
        return;
      }
      if (parent.hooks.before.length > 0) await parent.runHook('before', parent.context);
      await this.runHook('before', context);
      limit = this.limit();
      const all = Promise.all(this.subtests.map((subtest) => subtest.start()));
      await Promise.race([all, limit.promise]);
      await this.runHook('after', context);
      this.pass();
    } catch (error) {
      this.takeError(error);
      await this.runHook('after', context).catch(noop);
    } finally {
      limit?.end();
      this.controller.abort();
    }
    this.postRun();
  }
}

module.exports = { Test, Suite, TestHook, placeOf, validateOneOf };
