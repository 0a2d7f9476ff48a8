'use strict';
// What happens to tests, as a stream of events: those of their results in the order in which the
// tests were made, the others at once.

const { Readable } = require('stream');

class TestsStream extends Readable {
  #waiting = [];
  #isOpen = true;

  constructor() { super({ objectMode: true, highWaterMark: Number.MAX_SAFE_INTEGER }); }

  _read() {
    this.#isOpen = true;
    while (this.#waiting.length > 0 && this.#isOpen) {
      this.#isOpen = this.push(this.#waiting.shift());
    }
  }

  emitEvent(type, data) {
    this.emit(type, data);
    const message = { type, data, __proto__: null };
    if (this.#isOpen) this.#isOpen = this.push(message);
    else this.#waiting.push(message);
  }

  end() {
    if (this.#isOpen) this.push(null);
    else this.#waiting.push(null);
  }
}

const placed = (test) => ({ line: test.place?.line, column: test.place?.column,
  file: test.place?.file });

// skip or todo: true, or why
function directives(test) {
  if (test.skipped) return { skip: test.message ?? true };
  if (test.isTodo) return { todo: test.message ?? true };
  return {};
}

const noCounts = () => ({ all: 0, failed: 0, passed: 0, cancelled: 0, skipped: 0, todo: 0,
  topLevel: 0, suites: 0 });

class Reporter {
  stream = new TestsStream();
  counts = noCounts();
  number = 0; // of the last test at the top

  constructor(root) { this.root = root; }

  send(type, data) { this.stream.emitEvent(type, data); }

  enqueue(test) {
    this.send('test:enqueue', { name: test.name, nesting: test.nesting, ...placed(test) });
  }

  dequeue(test) {
    this.send('test:dequeue', { name: test.name, nesting: test.nesting, ...placed(test) });
  }

  details(test) {
    const details = { duration_ms: test.duration };
    if (test.reportedType === 'suite') details.type = 'suite';
    if (!test.passed && test.error) details.error = test.error;
    return details;
  }

  complete(test) {
    if (test.parent === null) return;
    this.send('test:complete', { name: test.name, nesting: test.nesting,
      testNumber: test.testNumber, details: { passed: test.passed, ...this.details(test) },
      ...directives(test), ...placed(test) });
  }

  start(test) {
    if (test.hasStarted || test.parent === null) return;
    this.start(test.parent);
    test.hasStarted = true;
    if (test.isFile && test.reportedChildren > 0) return;
    this.send('test:start', { name: test.name, nesting: test.nesting, ...placed(test) });
  }

  hasTurn(test) {
    if (test.parent === null) return true;
    return test.parent.subtests[test.parent.nextReport] === test && this.hasTurn(test.parent);
  }

  // Results of subtests that ended, as far as those before them have ended.
  ready(parent) {
    if (this.hasTurn(parent)) this.flush(parent);
  }

  flush(parent) {
    for (;;) {
      const test = parent.subtests[parent.nextReport];
      if (test === undefined) return;
      test.giveEvents?.();
      this.flush(test);
      if (!test.finished) return;
      parent.nextReport++;
      this.report(test);
    }
  }

  count(test, skip, todo) {
    const { counts } = this;
    if (test.nesting === 0) counts.topLevel++;
    if (test.isSuite) {
      counts.suites++;
      return;
    }
    counts.all++;
    if (skip !== undefined) counts.skipped++;
    else if (todo !== undefined) counts.todo++;
    else if (test.cancelled) counts.cancelled++;
    else if (test.passed) counts.passed++;
    else counts.failed++;
  }

  report(test) {
    if (test.isReported) return;
    test.isReported = true;
    if (test.isHidden?.()) return;
    this.start(test);
    if (test.subtests.length > 0) {
      this.send('test:plan', { nesting: test.nesting + 1, count: test.subtests.length,
        ...placed(test) });
    }
    const given = directives(test);
    this.count({ nesting: test.nesting, isSuite: test.reportedType === 'suite',
      cancelled: test.cancelled, passed: test.passed }, given.skip, given.todo);
    const testNumber = test.nesting === 0 ? ++this.number : test.testNumber;
    const isGood = test.passed || (test.error === null);
    if (!isGood && given.todo === undefined && given.skip === undefined) {
      this.root.hasFailed = true;
    }
    this.send(isGood ? 'test:pass' : 'test:fail', { name: test.name, nesting: test.nesting,
      testNumber, details: this.details(test), ...given, ...placed(test) });
    for (const message of test.notes) {
      this.send('test:diagnostic', { nesting: test.nesting, message, ...placed(test) });
    }
  }

  // What is told of the tests so far; it is forgotten.
  summarize(duration) {
    const { counts } = this;
    this.counts = noCounts();
    const told = { tests: counts.all, suites: counts.suites, pass: counts.passed,
      fail: counts.failed, cancelled: counts.cancelled, skipped: counts.skipped,
      todo: counts.todo, duration_ms: duration };
    this.send('test:plan', { nesting: 0, count: counts.topLevel });
    for (const message of this.root.notes) this.send('test:diagnostic', { nesting: 0, message });
    for (const [name, value] of Object.entries(told)) {
      this.send('test:diagnostic', { nesting: 0, message: `${name} ${value}` });
    }
  }

  finish(duration) {
    this.summarize(duration);
    const summary = this.root.coverage?.();
    if (summary !== undefined) this.send('test:coverage', { nesting: 0, summary });
    this.stream.end();
  }
}

module.exports = { TestsStream, Reporter };
