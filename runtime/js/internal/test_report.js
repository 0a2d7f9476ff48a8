'use strict';
// How node:test tells its results: as TAP, or as a tree for people.

const { inspect } = require('internal/inspect');

function indentOf(depth) { return '    '.repeat(depth); }

function escape(name) { return name.replace(/[\\#]/g, '\\$&'); }

// What the runner itself found, not the test's code.
function isOwn(error) { return error?.failureType !== undefined; }

function isSkipOrTodo(test, kind) {
  if (!test[kind]) return undefined;
  return typeof test[kind] === 'string' ? test[kind] : true;
}

function errorLines(error) {
  const message = error instanceof Error ? String(error.message) : String(error);
  const lines = [`failureType: '${error?.failureType ?? 'testCodeFailure'}'`];
  if (message.includes('\n')) {
    lines.push('error: |-', ...message.split('\n').map((line) => `  ${line}`));
  } else {
    lines.push(`error: ${inspect(message)}`);
  }
  lines.push(`code: '${error?.code ?? 'ERR_TEST_FAILURE'}'`);
  if (!(error instanceof Error) || isOwn(error)) return lines;
  if (error.name !== 'Error') lines.push(`name: '${error.name}'`);
  for (const key of error.code === 'ERR_ASSERTION' ? ['expected', 'actual', 'operator'] : []) {
    if (error[key] !== undefined) lines.push(`${key}: ${inspect(error[key])}`);
  }
  const frames = String(error.stack).split('\n').filter((line) => /^ +at /.test(line));
  if (frames.length > 0) {
    lines.push('stack: |-', ...frames.map((line) => `  ${line.trim().slice(3)}`));
  }
  return lines;
}

const tap = {
  begin() { console.log('TAP version 13'); },

  start(test) { console.log(`${indentOf(test.depth)}# Subtest: ${escape(test.name)}`); },

  end(test) {
    const pad = indentOf(test.depth);
    const number = test.parent.children.indexOf(test) + 1;
    const skip = isSkipOrTodo(test, 'skip');
    const todo = isSkipOrTodo(test, 'todo');
    let note = '';
    if (skip) note = ` # SKIP${skip === true ? '' : ` ${escape(skip)}`}`;
    else if (todo) note = ` # ${'todo'.toUpperCase()}${todo === true ? '' : ` ${escape(todo)}`}`;
    const lines = ['---', `duration_ms: ${test.duration.toFixed(6)}`];
    if (test.isSuite) lines.push("type: 'suite'");
    if (test.error !== null) lines.push(`location: '${test.place}'`, ...errorLines(test.error));
    lines.push('...');
    if (test.children.length > 0) {
      console.log(`${indentOf(test.depth + 1)}1..${test.children.length}`);
    }
    console.log(`${pad}${test.error ? 'not ok' : 'ok'} ${number} - ${escape(test.name)}${note}`);
    for (const line of lines) console.log(`${pad}  ${line}`);
    for (const line of test.notes) console.log(`${pad}# ${line}`);
  },

  finish(root, counts) {
    console.log(`1..${root.children.length}`);
    for (const [name, value] of Object.entries(counts)) console.log(`# ${name} ${value}`);
  },
};

const failures = [];

function describe(error, pad) {
  const text = isOwn(error) ? inspect(error.message) : inspect(error);
  return text.split('\n').map((line) => `${pad}${line}`).join('\n');
}

function resultLine(test, pad) {
  const skip = isSkipOrTodo(test, 'skip');
  const todo = isSkipOrTodo(test, 'todo');
  const mark = skip ? '\ufe63' : test.error ? '\u2716' : '\u2714';
  let note = '';
  if (skip) note = ` # ${skip === true ? 'SKIP' : skip}`;
  else if (todo) note = ` # ${todo === true ? 'todo'.toUpperCase() : todo}`;
  return `${pad}${mark} ${test.name} (${test.duration.toFixed(6)}ms)${note}`;
}

const spec = {
  begin() {},

  // A test that has others inside is announced before the first of them.
  start(test) {
    const { parent } = test;
    if (parent.parent === null || parent.announced) return;
    parent.announced = true;
    console.log(`${'  '.repeat(parent.depth)}\u25b6 ${parent.name}`);
  },

  end(test) {
    const pad = '  '.repeat(test.depth);
    console.log(resultLine(test, pad));
    const told = test.error !== null && test.error.failureType !== 'subtestsFailed';
    if (told) console.log(`${describe(test.error, `${pad}  `)}\n`);
    for (const line of test.notes) console.log(`${pad}\u2139 ${line}`);
    if (told) failures.push(test);
  },

  finish(root, counts) {
    for (const [name, value] of Object.entries(counts)) console.log(`\u2139 ${name} ${value}`);
    if (failures.length === 0) return;
    console.log('\n\u2716 failing tests:');
    for (const test of failures) {
      const file = require('path').relative(process.cwd(), test.place);
      console.log(`\ntest at ${file}\n${resultLine(test, '')}\n${describe(test.error, '  ')}`);
    }
  },
};

function choose() {
  const named = process.execArgv.find((arg) => arg.startsWith('--test-reporter='))?.slice(16);
  if (named === 'spec' || named === 'tap') return named === 'spec' ? spec : tap;
  return process.stdout.isTTY ? spec : tap;
}

module.exports = { choose };
