'use strict';
// run() and --test: each file in a process of its own.

const path = require('path');
const fs = require('fs');
const { invalidArgValue, invalidArgType } = require('internal/errors/errors');
const { validateAbortSignal, validateArray, validateBoolean, validateFunction, validateInteger,
  validateObject } = require('internal/errors/validators');
const { Test } = require('internal/test/test');
const { failure, KINDS } = require('internal/test/failure');
const { createRoot, end, watchErrors } = require('internal/test/harness');
const { patternOf } = require('internal/test/filter');
const { isTestFile, listed } = require('internal/test/files');

const VALUED = new RegExp('^--test-(?:reporter|reporter-destination|concurrency|shard|' +
  'name-pattern|skip-pattern|timeout)$');
const UNPASSED = ['--test', '--experimental-test-coverage', '--watch'];

// The tests of a file are those of its process; the file itself is told only if it has none.
class FileTest extends Test {
  isFile = true;
  reportedChildren = 0;
  failedChildren = 0;
  #events = [];

  isHidden() {
    return this.reportedChildren > 0 &&
      (this.error === null || this.error.failureType === KINDS.subtests);
  }

  add(event) {
    const { type } = event;
    const { reporter } = this.root;
    if (['test:enqueue', 'test:dequeue', 'test:complete'].includes(type)) {
      reporter.send(type, event.data);
      return;
    }
    if (type === 'test:pass' || type === 'test:fail') {
      if (event.data.nesting === 0) this.reportedChildren++;
      if (type === 'test:fail' && event.data.todo === undefined) this.failedChildren++;
    } else if (type === 'test:start') {
      this.startedChildren = true;
    }
    this.#events.push(event);
    reporter.ready(this.parent);
  }

  giveEvents() {
    const { reporter } = this.root;
    for (const { type, data } of this.#events.splice(0)) {
      const isEnd = data.nesting === 0 && (type === 'test:plan' || type === 'test:diagnostic');
      if (isEnd && this.reportedEnd(type, data)) continue;
      if (type === 'test:pass' || type === 'test:fail') {
        if (data.nesting === 0) data.testNumber = ++reporter.number;
        reporter.count({ nesting: data.nesting, isSuite: data.details.type === 'suite',
          passed: type === 'test:pass',
          cancelled: ['testTimeoutFailure', 'cancelledByParent', 'testAborted'].includes(
            data.details.error?.failureType) }, data.skip, data.todo);
        if (type === 'test:fail' && data.todo === undefined) this.root.hasFailed = true;
      }
      reporter.send(type, data);
    }
  }

  // The plan and the counts of the file as a whole are not told.
  reportedEnd(type, { message }) {
    if (type === 'test:plan') return true;
    return /^(?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/.test(message);
  }
}

function argumentsFor(file, { only, namePatterns, skipPatterns, timeout }) {
  const kept = process.execArgv.filter((word, i, all) => !UNPASSED.includes(word) &&
    !/^--test-(?:reporter|concurrency|shard|name-pattern|skip-pattern|timeout|only)/.test(word) &&
    !VALUED.test(all[i - 1] ?? ''));
  for (const pattern of namePatterns) kept.push(`--test-name-pattern=${pattern}`);
  for (const pattern of skipPatterns) kept.push(`--test-skip-pattern=${pattern}`);
  if (only) kept.push('--test-only');
  if (Number.isFinite(timeout)) kept.push(`--test-timeout=${timeout}`);
  return [...kept, file];
}

function runFile(root, name, settings) {
  const file = path.resolve(name);
  const { spawn } = require('child_process');
  const { Reader } = require('internal/test/wire');
  const work = (context) => new Promise((resolve, reject) => {
    const child = spawn(process.execPath, argumentsFor(file, settings), {
      env: { ...process.env, NODE_TEST_CONTEXT: 'child-v8' },
      stdio: [settings.watch ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    let failed;
    const stop = () => child.kill();
    context.signal.addEventListener('abort', stop, { once: true });
    child.on('error', (error) => { failed = error; });
    const text = (type) => (chunk) => test.add(
      { type, data: { file, message: `${chunk}`, nesting: undefined } });
    const reader = new Reader((event) => test.add(event), text('test:stdout'));
    child.stdout.on('data', (chunk) => reader.take(chunk));
    child.stderr.on('data', text('test:stderr'));
    child.on('close', (code, signal) => {
      reader.end();
      context.signal.removeEventListener('abort', stop);
      if (code === 0) {
        resolve();
        return;
      }
      const kind = test.failedChildren > 0 ? KINDS.subtests : KINDS.code;
      const error = failed ?? Object.assign(failure('test failed', kind),
        { exitCode: code, signal });
      error.cause = error.cause === 'test failed' ? 'test failed' : error.cause;
      reject(error);
    });
  });
  const test = root.createSubtest(FileTest, name,
    { timeout: settings.timeout }, work, { place: { file, line: 1, column: 1 } });
  return test.start();
}

function checkShard(shard, watch) {
  validateObject(shard, 'options.shard');
  validateInteger(shard.total, 'options.shard.total', 1);
  validateInteger(shard.index, 'options.shard.index', 1, shard.total);
  if (watch) throw invalidArgValue('options.shard', watch, 'shards not supported with watch mode');
}

function patternsOf(value, name) {
  if (value === undefined || value === null) return [];
  const list = Array.isArray(value) ? value : [value];
  return list.map((one, i) => {
    if (typeof one !== 'string' && !(one instanceof RegExp)) {
      throw invalidArgType(`${name}[${i}]`, ['string', 'RegExp'], one);
    }
    return patternOf(one, `${name}[${i}]`);
  });
}

function check(options) {
  const { files, forceExit, watch, signal, setup, shard, only } = options;
  if (files !== undefined && files !== null) validateArray(files, 'options.files');
  if (watch !== undefined && watch !== null) validateBoolean(watch, 'options.watch');
  if (forceExit !== undefined && forceExit !== null) {
    validateBoolean(forceExit, 'options.forceExit');
    if (forceExit && watch) {
      throw invalidArgValue('options.forceExit', watch, 'is not supported with watch mode');
    }
  }
  if (only !== undefined && only !== null) validateBoolean(only, 'options.only');
  validateAbortSignal(signal, 'options.signal');
  if (shard !== undefined && shard !== null) checkShard(shard, watch);
  if (setup !== undefined && setup !== null) validateFunction(setup, 'options.setup');
}

// Those of the program's arguments if it names none.
function chosenFiles({ files, shard }) {
  let found = files ?? listed(process.argv.slice(1));
  if (shard) found = found.filter((file, i) => i % shard.total === shard.index - 1);
  return found;
}

// Files that change run again until somebody stops it.
function watchFiles(root, files, settings, signal) {
  root.reporter.send('test:watch:drained', undefined);
  root.reporter.summarize(root.duration);
  return new Promise((resolve) => {
    const timers = new Map();
    const watchers = files.map((file) => fs.watch(file, () => {
      clearTimeout(timers.get(file));
      timers.set(file, setTimeout(async () => {
        await runFile(root, file, settings);
        root.reporter.send('test:watch:drained', undefined);
      }, 200));
    }));
    const stop = () => {
      for (const watcher of watchers) watcher.close();
      resolve();
    };
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}

// The command stops its children when it is told to stop, and says how far it came.
function watchMain(root) {
  const forget = watchErrors(root);
  const stop = () => {
    root.controller.abort();
    end(root);
    process.exitCode = 1;
    setImmediate(() => process.exit());
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  return () => {
    forget();
    process.removeListener('SIGINT', stop);
    process.removeListener('SIGTERM', stop);
  };
}

function run(options = {}) {
  validateObject(options, 'options');
  check(options);
  const settings = {
    only: Boolean(options.only), watch: Boolean(options.watch),
    namePatterns: patternsOf(options.testNamePatterns, 'options.testNamePatterns'),
    skipPatterns: patternsOf(options.testSkipPatterns, 'options.testSkipPatterns'),
    timeout: options.timeout ?? undefined,
  };
  const root = createRoot({ concurrency: options.concurrency ?? true, signal: options.signal,
    timeout: options.timeout, config: { namePatterns: [], skipPatterns: [], only: false } });
  root.onOuterAbort = () => {};
  root.setsStatus = Boolean(options.isMain);
  const stream = root.reporter.stream;
  const isNested = process.env.NODE_TEST_CONTEXT !== undefined;
  if (isNested) {
    process.emitWarning('node:test run() is being called recursively within a test file. ' +
      'skipping running files.');
  }
  const files = isNested ? [] : chosenFiles(options);
  const forget = options.isMain ? watchMain(root) : undefined;
  const ready = Promise.resolve(options.setup?.(stream));
  ready.then(async () => {
    await Promise.all(files.map((file) => runFile(root, file, settings)));
    if (settings.watch) await watchFiles(root, files, settings, options.signal);
    forget?.();
    end(root);
  });
  stream.root = root;
  Object.defineProperty(stream, 'root', { enumerable: false });
  return stream;
}

module.exports = { run, isTestFile };
