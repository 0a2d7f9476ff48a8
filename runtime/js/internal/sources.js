'use strict';
// Source texts by name, for messages: files are read again, code without a file is kept here.

const kept = new Map();

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

module.exports = { get, keep: (name, text) => kept.set(name, text) };
