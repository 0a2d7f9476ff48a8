'use strict';
// --test: the files of the command line, or those that are found.

const options = require('internal/boot/options');
const { invalidArgValue } = require('internal/errors/errors');
const { listed } = require('internal/test/files');

function shardOf(text) {
  const match = /^(\d+)\/(\d+)$/.exec(text);
  if (!match) {
    throw invalidArgValue('--test-shard', text, 'must be in the form of <index>/<total>');
  }
  return { index: +match[1], total: +match[2] };
}

function start(names) {
  const concurrency = options.last('test-concurrency');
  const timeout = options.last('test-timeout');
  const shard = options.last('test-shard');
  const settings = {
    concurrency: concurrency === undefined ? true : Number(concurrency),
    timeout: timeout === undefined ? Infinity : Number(timeout),
    forceExit: options.isOn('test-force-exit') === true,
    watch: options.isOn('watch') === true,
    only: options.isOn('test-only') === true,
    testNamePatterns: options.all('test-name-pattern'),
    testSkipPatterns: options.all('test-skip-pattern'),
    shard: shard === undefined ? undefined : shardOf(shard),
    files: listed(names),
  };
  require('util').debuglog('test_runner')('test runner configuration:', settings);
  const isCovered = options.isOn('experimental-test-coverage');
  if (isCovered) require('internal/test/coverage').start(true);
  const { choices, setUp } = require('internal/test/reporters');
  const chosen = choices();
  const stream = require('internal/test/run').run({ ...settings, isMain: true });
  if (isCovered) stream.root.coverage = () => require('internal/test/coverage').summary(true);
  setUp(stream.root, chosen).then(() => {
    if (stream.root.hasFailed) process.exitCode = 1;
    if (settings.forceExit) process.exit();
  });
}

module.exports = { start };
