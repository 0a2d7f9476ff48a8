'use strict';
// Trace events in Chrome's form (--trace-event-categories, trace_events): kept until the process
// ends, then written to node_trace.1.log, or what --trace-event-file-pattern says.

const native = binding('process');

const events = [];
let fromOptions = [];
const tracings = new Set(); // those that are enabled, each with its categories
const sources = new Set(); // what has been told to watch already
let isWritten = true;
let pattern = 'node_trace.$' + '{rotation}.log';

const now = () => Math.round(native.uptime() * 1e6);

function enabled() {
  const all = new Set(fromOptions);
  for (const one of tracings) for (const name of one.list) all.add(name);
  return [...all].sort();
}

// A category may have several names, from the general to the special.
function isOn(category) {
  const names = category.split(',');
  return enabled().some((name) => names.includes(name));
}

function add(ph, cat, name, more) {
  if (!isOn(cat)) return;
  events.push({ pid: process.pid, tid: process.pid, ts: now(), tts: now(), ph, cat, name, dur: 0,
    tdur: 0, args: {}, ...more });
}

// trace(phase, category, name, id, data), as Node's own modules call it.
function trace(phase, category, name, id, data) {
  const more = { args: data === undefined ? {} : { data } };
  if (typeof id === 'number') more.id = `0x${id.toString(16)}`;
  add(String.fromCharCode(phase), category, name, more);
}

function metadata() {
  const made = (name, args) => ({ pid: process.pid, tid: process.pid, ts: 0, tts: 0, ph: 'M',
    cat: '__metadata', name, dur: 0, tdur: 0, args });
  const { arch, platform, release, versions } = process;
  const { threads, titles } = require('internal/trace/sources');
  return [
    made('thread_name', { name: 'JavaScriptMainThread' }),
    made('thread_name', { name: 'PlatformWorkerThread' }),
    ...threads.map((name) => made('thread_name', { name })),
    made('version', { node: versions.node }),
    made('node', { process: { versions, arch, platform, release } }),
    ...titles.map((name) => made('process_name', { name })),
  ];
}

function write() {
  if (isWritten) return;
  isWritten = true;
  const values = { pid: process.pid, rotation: 1 };
  const name = pattern.replace(/\$\{(pid|rotation)\}/g, (whole, key) => values[key]);
  try {
    require('fs').writeFileSync(name, JSON.stringify({ traceEvents: [...metadata(), ...events] }));
  } catch {
    native.write(2, `Could not open trace file ${name}\n`);
  }
}

// Begins to watch what the categories need; what watches once goes on.
function watch() {
  isWritten = false;
  changed();
  require('internal/process/process').atEnd(write);
  const { SOURCES } = require('internal/trace/sources');
  for (const [category, begin] of Object.entries(SOURCES)) {
    if (sources.has(category) || !isOn(category)) continue;
    sources.add(category);
    begin(add, category);
  }
}

// The options of the command.
function start(categories, given) {
  fromOptions = categories.split(',').map((name) => name.trim())
    .filter((name) => name !== '' && name !== '""');
  if (given !== undefined) pattern = given;
  watch();
}

const flags = new Map();

// A byte that says whether the category is on, as long as somebody has it.
function flagOf(category) {
  if (!flags.has(category)) flags.set(category, new Uint8Array([isOn(category) ? 1 : 0]));
  return flags.get(category);
}

function changed() {
  for (const [category, flag] of flags) flag[0] = isOn(category) ? 1 : 0;
}

module.exports = { start, watch, changed, trace, isOn, flagOf, enabled, tracings };
