'use strict';
// Profiles of the heap: which calls made what is alive, by looking at every so many bytes.

const native = binding('heap');
const scripts = require('internal/inspector/scripts');
const { ProtocolError } = require('internal/inspector/objects');

const OUTERMOST = ['', '<eval>', '<anonymous>', 'Object.<anonymous>'];
const INTERVAL = 32768; // bytes
let watchers = 0;

function start(interval = INTERVAL) {
  if (watchers++ > 0) return;
  if (native.watch(interval)) return;
  watchers = 0;
  throw new ProtocolError('This engine does not tell of allocations');
}

function callFrame(parent, name, file, line, column) {
  if (parent < 0) {
    return { functionName: '(root)', scriptId: '0', url: '', lineNumber: -1, columnNumber: -1 };
  }
  return { functionName: OUTERMOST.includes(name) ? '(anonymous)' : name,
    scriptId: scripts.byFile.get(file)?.id ?? '0', url: scripts.urlOf(file),
    lineNumber: line - 1, columnNumber: column - 1 };
}

// A program may have put anything in the place of a function's name.
function nameOf(work) {
  const value = work === undefined ? undefined
    : Object.getOwnPropertyDescriptor(work, 'name')?.value;
  return typeof value === 'string' ? value : '';
}

function profile() {
  const rows = native.watched();
  const nodes = rows.map(([parent, bytes, work, file, line, column], i) => ({
    callFrame: callFrame(parent, nameOf(work), file, line, column),
    selfSize: bytes, id: i + 1, children: [],
  }));
  rows.forEach(([parent], i) => { if (parent >= 0) nodes[parent].children.push(nodes[i]); });
  const samples = nodes.filter((node) => node.selfSize > 0)
    .map(({ selfSize, id }, ordinal) => ({ size: selfSize, nodeId: id, ordinal: ordinal + 1 }));
  return { head: nodes[0], samples };
}

function stop() {
  const made = profile();
  if (--watchers === 0) native.watch(0);
  return made;
}

module.exports = { start, stop, profile, INTERVAL };
