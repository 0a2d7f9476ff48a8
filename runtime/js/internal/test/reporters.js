'use strict';
// Where the results go: which reporters, and to which files.

const { invalidArgValue } = require('internal/errors/errors');

const BUILT_IN = ['spec', 'dot', 'tap', 'junit', 'lcov'];

function destination(name) {
  if (name === 'stdout') return process.stdout;
  if (name === 'stderr') return process.stderr;
  return require('fs').createWriteStream(name);
}

async function load(name) {
  let found;
  if (BUILT_IN.includes(name)) {
    found = require('test/reporters')[name];
  } else {
    const { pathToFileURL } = require('url');
    const base = pathToFileURL(`${process.cwd()}/reporter`).href;
    const module = await binding('modules').importModule(name, base);
    found = module.default;
    found = found?.default ?? found;
  }
  const isClass = typeof found === 'function' && found.prototype &&
    Object.getOwnPropertyDescriptor(found, 'prototype') &&
    !/^(?:async\s+)?function\s*\*|^async\s/.test(Function.prototype.toString.call(found)) &&
    typeof found.prototype.pipe === 'function';
  const made = isClass ? new found() : found;
  if (!made) {
    const { invalidArgType } = require('internal/errors/errors');
    throw invalidArgType('Reporter', 'function', made);
  }
  return made;
}

function choices() {
  const options = require('internal/boot/options');
  const names = options.all('test-reporter');
  const places = options.all('test-reporter-destination');
  if (names.length === 0 && places.length === 0) {
    names.push(process.stdout.isTTY ? 'spec' : 'tap');
  }
  if (names.length === 1 && places.length === 0) places.push('stdout');
  if (names.length !== places.length) {
    throw invalidArgValue('--test-reporter', names,
      "must match the number of specified '--test-reporter-destination'");
  }
  return names.map((name, i) => [name, places[i]]);
}

function toParent(root) {
  const { frameOf } = require('internal/test/wire');
  const write = binding('process').write;
  return new Promise((resolve) => {
    root.reporter.stream.on('data', (event) => write(1, frameOf({ ...event })));
    root.reporter.stream.on('end', resolve);
  });
}

function fail(error, more = '') {
  const { inspect } = require('internal/inspect/inspect');
  binding('process').write(2, `${inspect(error)}\n${more}`);
  process.exit(7);
}

// Fulfilled when all is written. What a reporter throws is not the tests': it ends the process.
function setUp(root, chosen) {
  if (/^child/.test(process.env.NODE_TEST_CONTEXT ?? '')) return toParent(root);
  chosen ??= choices();
  const { compose } = require('stream');
  const { current } = require('internal/test/harness');
  const { stream } = root.reporter;
  return current.run({ isReporter: true }, async () => {
    const made = [];
    for (const [name] of chosen) made.push(await load(name).catch(fail));
    await Promise.all(chosen.map(([, place], i) => new Promise((resolve) => {
      const output = compose(stream, made[i]);
      output.on('error', (error) => fail(error, "Emitted 'error' event on Duplex instance\n"));
      const target = destination(place);
      const isOwn = target === process.stdout || target === process.stderr;
      if (isOwn) output.on('end', resolve);
      else target.on('finish', resolve);
      output.pipe(target, { end: !isOwn });
    })));
  });
}

module.exports = { choices, setUp };
