'use strict';
// The test that all others are in, and how the process ends with it.

const { AsyncLocalStorage } = require('async_hooks');
const { Test } = require('internal/test/test');
const { Reporter } = require('internal/test/stream');
const { failure, KINDS } = require('internal/test/failure');
const { patternOf } = require('internal/test/filter');

const current = new AsyncLocalStorage();

function options() { return require('internal/boot/options'); }

function configOf() {
  const { all, isOn } = options();
  return {
    namePatterns: all('test-name-pattern').map((one) => patternOf(one)),
    skipPatterns: all('test-skip-pattern').map((one) => patternOf(one, '--test-skip-pattern')),
    only: isOn('test-only') === true,
    forceExit: isOn('test-force-exit') === true,
  };
}

function createRoot(given) {
  const config = { ...configOf(), ...given.config };
  const timeout = Number(options().last('test-timeout')) || Infinity;
  const root = new Test({ fn() {}, name: '<root>', parent: null,
    options: { timeout, ...given, config } });
  root.timeout = Infinity;
  root.subtestTimeout = given.timeout ?? timeout;
  root.reporter = new Reporter(root);
  root.hasFailed = false;
  root.startTime = process.hrtime.bigint();
  return root;
}

function describeLate(test, error, event) {
  if (test === undefined) {
    return 'Error: A resource generated asynchronous activity after the test ended. This ' +
      `activity created the error "${error}" which triggered an ${event} event, caught by the ` +
      'test runner.';
  }
  const name = test.kind ? `Test hook "${test.kind}"` : `Test "${test.name}"`;
  const { relative } = require('path');
  const { place } = test;
  const at = place ? ` at ${relative(process.cwd(), place.file)}:${place.line}:${place.column}`
    : '';
  return `Error: ${name}${at} generated asynchronous activity after the test ended. This ` +
    `activity created the error "${error}" and would have caused the test to fail, but instead ` +
    `triggered an ${event} event.`;
}

function watchErrors(root) {
  const take = (event) => (error) => {
    const test = current.getStore();
    if (test?.isReporter) throw error;
    if (test === undefined || test.finished) {
      root.diagnostic(describeLate(test, error, event));
      process.exitCode = 1;
      return;
    }
    const failed = failure(error, event);
    test.fail(failed);
    test.controller.abort(failed);
  };
  const listeners = { uncaughtException: take(KINDS.uncaught),
    unhandledRejection: take(KINDS.rejection) };
  for (const [event, listener] of Object.entries(listeners)) process.on(event, listener);
  return () => {
    for (const [event, listener] of Object.entries(listeners)) {
      process.removeListener(event, listener);
    }
  };
}

function end(root) {
  if (root.hasEnded) return;
  root.hasEnded = true;
  root.postRun(failure('Promise resolution is still pending but the event loop has already ' +
    'resolved', KINDS.cancelled));
  root.reporter.flush(root);
  if (root.setsStatus && (root.hasFailed || root.error !== null)) process.exitCode = 1;
  root.reporter.finish(root.duration);
}

// The hooks after all tests run when nothing is left to run, even if something keeps the loop
// alive: they may close it.
async function endOfSubtests(root) {
  if (root.activeSubtests > 0 || root.pendingSubtests.length > 0) return;
  if (root.isEnding || root.subtests.some((test) => !test.finished)) return;
  root.isEnding = true;
  try {
    await root.runHook('after', root.context);
  } catch (error) {
    root.hasFailed = true;
    root.fail(error);
  }
  root.isEnding = false;
}

let shared;

// The root of the tests of this program.
function rootOfProgram() {
  if (shared !== undefined) return shared;
  shared = createRoot({});
  shared.setsStatus = true;
  const root = shared;
  const forget = watchErrors(root);
  root.onSubtestEnd = () => {
    if (root.hooks.after.length > 0) endOfSubtests(root);
    if (root.config.forceExit && root.subtests.every((test) => test.finished)) stop();
  };
  if (options().isOn('experimental-test-coverage') && !process.env.NODE_TEST_CONTEXT)
    root.coverage = () => require('internal/test/coverage').summary(false);
  const reporters = require('internal/test/reporters');
  const output = reporters.setUp(root);
  const stop = async () => {
    await endOfSubtests(root);
    end(root);
    await output;
    process.exit();
  };
  const onEnd = async () => {
    if (root.hooks.before.length > 0 && root.subtests.length === 0) {
      await root.runHook('before', root.context).catch((error) => root.fail(error));
    }
    if (!root.hasEnded && root.hooks.after.some((hook) => !hook.hasRun)) {
      await endOfSubtests(root);
    }
    end(root);
    forget();
    process.removeListener('beforeExit', onEnd);
  };
  process.on('beforeExit', onEnd);
  process.once('exit', () => {
    if (root.hasFailed || root.error !== null) process.exitCode ||= 1;
  });
  return root;
}

module.exports = { createRoot, rootOfProgram, end, current, watchErrors };
