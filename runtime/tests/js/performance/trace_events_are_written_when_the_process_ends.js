'use strict';
// --trace-event-categories and trace_events: the file, its events by category, and the API.
const { spawnSync } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');

const cwd = fs.mkdtempSync(path.join(os.tmpdir(), 'trace-'));
function record(categories, code, ...options) {
  spawnSync(process.execPath, ['--trace-event-categories', categories, ...options, '-e', code],
    { cwd });
  const [name] = fs.readdirSync(cwd);
  const { traceEvents } = JSON.parse(fs.readFileSync(path.join(cwd, name), 'utf8'));
  fs.rmSync(path.join(cwd, name));
  const found = new Set(traceEvents.filter(({ cat }) => cat !== '__metadata')
    .map(({ cat, name: event, ph }) => `${cat} ${event} ${ph}`));
  return [name, traceEvents.some(({ name: event }) => event === 'thread_name'), [...found].sort()];
}

function api() {
  const { createTracing, getEnabledCategories } = require('trace_events');
  console.log(getEnabledCategories());
  const tracing = createTracing({ categories: ['one', 'two'] });
  console.log(tracing.enabled, tracing.categories, tracing);
  tracing.enable();
  console.log(tracing.enabled, getEnabledCategories());
  tracing.disable();
  console.log(tracing.enabled, getEnabledCategories());
  for (const wrong of [5, {}, { categories: [] }, { categories: [1] }]) {
    try {
      createTracing(wrong);
    } catch (error) {
      console.log(error.code, error.message);
    }
  }
}

const child = spawnSync(process.execPath, ['-e', `(${api})()`], { cwd, encoding: 'utf8' });
console.log(child.stdout, child.stderr, fs.readdirSync(cwd));
fs.rmSync(path.join(cwd, 'node_trace.1.log'));
console.log(record('node.console', 'console.count("a"); console.time("b"); console.timeEnd("b")'));
console.log(record('node.fs.sync', 'fs.mkdirSync("x"); fs.rmdirSync("x")')[2]
  .filter((line) => /mkdir|rmdir/.test(line)));
console.log(record('node.async_hooks', 'setTimeout(() => {}, 1)')[2]
  .filter((line) => /Timeout/.test(line)));
console.log(record('none', '', '--trace-event-file-pattern', 'x-$' + '{rotation}.json'));
fs.rmdirSync(cwd);
