'use strict';
// NODE_V8_COVERAGE: a file of coverage when the program, or a worker, ends; v8.takeCoverage writes
// one before.

const path = require('path');
const coverage = require('internal/coverage/coverage');

let folder;
let written = 0;

const isFile = (url) => url.startsWith('file:');

function sourceMaps(scripts) {
  const { mapOf } = require('internal/errors/source_map');
  const maps = {};
  for (const { url, source } of scripts) {
    const map = mapOf(url, source);
    if (map !== undefined) maps[url] = map;
  }
  return maps;
}

function write() {
  if (folder === undefined) return;
  const fs = require('fs');
  const { threadId } = require('worker_threads');
  const scripts = coverage.take({ clears: true, isWanted: isFile });
  const maps = sourceMaps(scripts);
  const told = {
    result: scripts.map(({ scriptId, url, functions }) => ({ scriptId, url, functions })),
    timestamp: performance.now() * 1000,
  };
  if (Object.keys(maps).length > 0) told['source-map-cache'] = maps;
  const name = `coverage-${process.pid}-${Date.now()}-${threadId}${written || ''}.json`;
  written++;
  try {
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, name), JSON.stringify(told));
  } catch (error) {
    binding('process').write(2, `${process.argv0}: coverage could not be written: ${
      error.message}\n`);
  }
}

function stop() {
  if (folder === undefined) return;
  folder = undefined;
  coverage.stop();
}

function start(wanted) {
  if (!coverage.start()) {
    process.emitWarning('coverage could not be collected: this engine counts nothing');
    return;
  }
  folder = path.resolve(wanted);
  process.env.NODE_V8_COVERAGE = folder;
  require('internal/process/process').inspected.endings.unshift(write);
  const { kill } = process;
  process.kill = (pid, signal) => {
    // A signal that nobody waits for may be the end of this process.
    if (pid === process.pid && signal !== 0 && process.listenerCount(signal ?? 'SIGTERM') === 0)
      write();
    return kill(pid, signal);
  };
}

module.exports = { start, stop, write };
