'use strict';
// Source texts by name, for messages: files are read again, code without a file is kept here.

const kept = new Map();
const offsets = new Map(); // of texts that do not begin at 1:1

function get(name) {
  if (kept.has(name)) return kept.get(name);
  const path = name.startsWith('file://')
    ? decodeURIComponent(name.slice(7).replace(/[?#].*$/s, '')) : name;
  try {
    return binding('fs').readFileSync(path, true, 0);
  } catch {
    return undefined;
  }
}

function keep(name, text, line = 0, column = 0) {
  kept.set(name, text);
  if (line !== 0 || column !== 0) offsets.set(name, { line, column });
  else offsets.delete(name);
}

// A line of the text, and where the column is in it.
function lineAt(name, line, column) {
  const from = offsets.get(name) ?? { line: 0, column: 0 };
  const text = get(name)?.split('\n')[line - 1 - from.line];
  return { text, column: line - 1 === from.line ? column - from.column : column };
}

// Home: where code of the command line was started, if it may import.
module.exports = { get, keep, lineAt, home: undefined };
