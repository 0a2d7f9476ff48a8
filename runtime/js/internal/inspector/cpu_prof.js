'use strict';
// --cpu-prof: the profile of a whole run, written when the program ends; and what must not be
// asked for without it.

const KINDS = { 'cpu-prof': ['name', 'dir', 'interval'], 'heap-prof': ['name', 'dir', 'interval'] };

function defaultName() {
  const now = new Date();
  const two = (number) => `${number}`.padStart(2, '0');
  const date = `${now.getFullYear()}${two(now.getMonth() + 1)}${two(now.getDate())}`;
  const time = `${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}`;
  const { threadId } = require('worker_threads');
  return `CPU.${date}.${time}.${process.pid}.${threadId}.001.cpuprofile`;
}

function save(folder, name) {
  const fs = require('fs');
  const { stop } = require('internal/inspector/profiler');
  const file = require('path').resolve(folder, name);
  const text = JSON.stringify(stop());
  try {
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(file, text);
  } catch (error) {
    binding('process').write(2, `${process.argv0}: the profile could not be written: ${
      error.message}\n`);
  }
}

function start(options) {
  const { setInterval, start: begin } = require('internal/inspector/profiler');
  const interval = Number(options.last('cpu-prof-interval'));
  if (interval > 0) setInterval(interval);
  const cwd = process.cwd();
  const folder = require('path').resolve(cwd,
    options.last('cpu-prof-dir') ?? options.last('diagnostic-dir') ?? '.');
  const name = options.last('cpu-prof-name') ?? defaultName();
  begin();
  require('internal/process/process').inspected.endings.unshift(() => save(folder, name));
}

function fromOptions(options, fail) {
  for (const [kind, others] of Object.entries(KINDS)) {
    const lonely = options.isOn(kind) ? [] : others.map((other) => `${kind}-${other}`)
      .filter((name) => options.last(name) !== undefined);
    if (lonely.length > 0) fail(`--${lonely[0]} must be used with --${kind}`);
  }
  if (options.isOn('heap-prof')) {
    binding('process').write(2,
      `${process.argv0}: --heap-prof: this engine has no heap profiles, none is written\n`);
  }
  if (options.isOn('cpu-prof')) start(options);
}

module.exports = { fromOptions };
