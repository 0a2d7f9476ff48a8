'use strict';
// --cpu-prof and --heap-prof: the profile of a whole run, written when the program ends; and what
// must not be asked for without them.

const KINDS = { 'cpu-prof': ['name', 'dir', 'interval'], 'heap-prof': ['name', 'dir', 'interval'] };

function defaultName(kind, extension) {
  const now = new Date();
  const two = (number) => `${number}`.padStart(2, '0');
  const date = `${now.getFullYear()}${two(now.getMonth() + 1)}${two(now.getDate())}`;
  const time = `${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}`;
  const { threadId } = require('worker_threads');
  return `${kind}.${date}.${time}.${process.pid}.${threadId}.001.${extension}`;
}

function save(folder, name, profile) {
  const fs = require('fs');
  const file = require('path').resolve(folder, name);
  try {
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(file, JSON.stringify(profile));
  } catch (error) {
    binding('process').write(2, `${process.argv0}: the profile could not be written: ${
      error.message}\n`);
  }
}

// The profile that `stop` gives, when the program ends.
function saveAtEnd(options, kind, fallback, stop) {
  const folder = require('path').resolve(process.cwd(),
    options.last(`${kind}-dir`) ?? options.last('diagnostic-dir') ?? '.');
  const name = options.last(`${kind}-name`) ?? fallback;
  require('internal/process/process').inspected.endings
    .unshift(() => save(folder, name, stop()));
}

function start(options) {
  const { setInterval, start: begin, stop } = require('internal/inspector/profiler');
  const interval = Number(options.last('cpu-prof-interval'));
  if (interval > 0) setInterval(interval);
  begin();
  saveAtEnd(options, 'cpu-prof', defaultName('CPU', 'cpuprofile'), stop);
}

function startHeap(options) {
  const { start: begin, stop, INTERVAL } = require('internal/inspector/allocations');
  const interval = Number(options.last('heap-prof-interval'));
  begin(interval > 0 ? interval : 16 * INTERVAL);
  saveAtEnd(options, 'heap-prof', defaultName('Heap', 'heapprofile'), stop);
}

function fromOptions(options, fail) {
  for (const [kind, others] of Object.entries(KINDS)) {
    const lonely = options.isOn(kind) ? [] : others.map((other) => `${kind}-${other}`)
      .filter((name) => options.last(name) !== undefined);
    if (lonely.length > 0) fail(`--${lonely[0]} must be used with --${kind}`);
  }
  if (options.isOn('heap-prof')) startHeap(options);
  if (options.isOn('cpu-prof')) start(options);
}

module.exports = { fromOptions };
