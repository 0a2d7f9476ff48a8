'use strict';
// --watch: the program runs in a process of its own, which starts again when a file that it has
// loaded changes, or one below the folders of --watch-path.

const fs = require('fs');
const path = require('path');
const options = require('internal/boot/options');
const { colorful } = require('internal/console/console');

const WAIT = 200; // ms: an editor writes more than once
const COLORS = { Restarting: 32, Completed: 34, Failed: 31 };

let child = null;
let command; // the words after our own options
let restart; // a timer, while a change is about to be answered
const watchers = new Map(); // by folder
const files = new Set();

function say(word, rest = '') {
  const text = `${word}${rest} ${require('internal/inspect/inspect').inspect(command.join(' '))}`;
  process.stdout.write(colorful(1) ? `\x1b[${COLORS[word]}m${text}\x1b[39m\n` : `${text}\n`);
}

function argumentsOfChild() {
  const words = process.execArgv.filter((word, i, all) =>
    !/^--watch(?:-path|-preserve-output)?(?:=|$)/.test(word) && all[i - 1] !== '--watch-path');
  return [...words, ...command];
}

// A file may be replaced by another of its name: its folder is watched.
function watchFile(file) {
  files.add(file);
  const folder = path.dirname(file);
  if (watchers.has(folder)) return;
  try {
    watchers.set(folder, fs.watch(folder, (type, name) => {
      if (name !== null && files.has(path.join(folder, name))) onChange();
    }));
  } catch {
    // It has gone; so has what was loaded from it.
  }
}

function onMessage(message) {
  const required = message?.['watch:require'];
  const imported = message?.['watch:import'];
  if (Array.isArray(required)) required.forEach(watchFile);
  else if (Array.isArray(imported)) {
    for (const url of imported) {
      if (url.startsWith('file:')) watchFile(require('url').fileURLToPath(url));
    }
  } else process.send?.(message);
}

function start() {
  const reports = options.all('watch-path').length === 0;
  child = require('child_process').spawn(process.execPath, argumentsOfChild(), {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: reports ? { ...process.env, WATCH_REPORT_DEPENDENCIES: '1' } : process.env,
  });
  child.on('message', onMessage);
  child.once('exit', (code) => {
    child = null;
    if (restart === 'stopping') again();
    else say(code === 0 ? 'Completed' : 'Failed', ' running');
  });
}

function again() {
  restart = undefined;
  files.clear();
  start();
}

function onChange() {
  if (restart === 'stopping') return;
  clearTimeout(restart);
  restart = setTimeout(() => {
    if (process.stdout.isTTY && !options.isOn('watch-preserve-output')) {
      process.stdout.write('\x1bc');
    }
    say('Restarting');
    if (child === null) again();
    else {
      restart = 'stopping';
      child.kill();
    }
  }, WAIT);
}

// Ends with the program that it runs.
function stop() {
  const end = () => process.exit(0);
  restart = undefined;
  if (child === null) end();
  child.removeAllListeners('exit');
  child.once('exit', end);
  child.kill();
}

function run({ rest, check, interactive, code, print }, fail) {
  const others = { check, interactive, eval: code !== undefined || print };
  for (const [name, isThere] of Object.entries(others)) {
    if (isThere) fail(`either --watch or --${name} can be used, not both`);
  }
  if (rest.length === 0) fail('--watch requires specifying a file');
  command = rest;
  for (const folder of options.all('watch-path')) {
    fs.watch(path.resolve(folder), { recursive: true }, onChange);
  }
  setInterval(() => {}, 2 ** 30); // it lives until it is stopped
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  if (process.send) process.on('message', (message) => child?.send(message));
  start();
}

// In the process of the program: who watches is told what is loaded.
function report() {
  const Module = require('module');
  const { load } = Module.prototype;
  const tell = (message) => { if (process.connected) process.send(message); };
  Module.prototype.load = { load(filename) {
    tell({ 'watch:require': [filename] });
    return Reflect.apply(load, this, [filename]);
  } }.load;
  require('internal/esm/esm').tellOfLoads((address) => tell({ 'watch:import': [address] }));
}

module.exports = { run, report };
