'use strict';
// The names that a CommonJS file seems to export, without running it.

const fs = binding('fs');
const builtins = require('internal/builtins');

function exportNames(exports) {
  const names = new Set(['default']);
  if (exports !== null && (typeof exports === 'object' || typeof exports === 'function')) {
    for (const name of Object.keys(exports)) names.add(name);
  }
  return [...names];
}

const EXPORTS = '(?:module\\s*\\.\\s*)?exports';
const PATTERNS = [
  [new RegExp(`\\b${EXPORTS}\\s*\\.\\s*([A-Za-z_$][\\w$]*)\\s*=(?!=)`, 'g'), 1],
  [new RegExp(`\\b${EXPORTS}\\s*\\[\\s*(['"])([^'"]+)\\1\\s*\\]\\s*=(?!=)`, 'g'), 2],
  [new RegExp(`\\bObject\\s*\\.\\s*defineProperty\\(\\s*${EXPORTS}\\s*,\\s*(['"])([^'"]+)\\1`,
    'g'), 2],
];
const ENTRY = new RegExp(['\\s*(?:', '\\.\\.\\.\\s*(?:require\\(\\s*([\'"])([^\'"]+)\\1\\s*\\)',
  '|[A-Za-z_$][\\w$]*)', '|([A-Za-z_$][\\w$]*)|([\'"])([^\'"]+)\\4)\\s*'].join(''), 'y');
const VALUE = /:\s*[A-Za-z_$][\w$]*\s*/y;

// The entries of "module.exports = {...}", up to the first that is not a plain name.
function literalNames(source, start, add, reexports) {
  for (let at = start; ;) {
    ENTRY.lastIndex = at;
    const match = ENTRY.exec(source);
    if (match === null) return;
    at = ENTRY.lastIndex;
    const name = match[3] ?? match[5];
    if (match[2] !== undefined) reexports.push(match[2]);
    if (name !== undefined && source[at] === ':') {
      VALUE.lastIndex = at;
      if (VALUE.exec(source) === null) return;
      at = VALUE.lastIndex;
    }
    if (name !== undefined) add(name);
    if (source[at] !== ',') return;
    at++;
  }
}

const COMMENTS = /\/\*[\s\S]*?\*\/|(^|[^:'"`\\])\/\/[^\n]*/g;

// A name as the text in quotes means it; empty if it is none.
function unquote(name) {
  if (!name.includes('\\')) return name;
  const text = name.replace(/\\u\{([\da-f]+)\}|\\u([\da-f]{4})|\\x([\da-f]{2})/gi,
    (all, braced, four, two) => String.fromCharCode(Number.parseInt(braced ?? four ?? two, 16)));
  return text.isWellFormed() ? text : '';
}

// Babel's "export *": all keys of what was required are defined on the exports.
function copiedNames(source, reexports) {
  for (const [, name] of source.matchAll(
    /\bObject\.keys\(([\w$]+)\)\.forEach\(function\s*\([\w$]+\)\s*\{\s*if\s*\(/g)) {
    const quoted = name.replaceAll('$', '\\$');
    const made = new RegExp(`\\b(?:var|let|const)\\s+${quoted}\\s*=\\s*(?:[\\w$]+\\()?` +
      'require\\(\\s*([\'"])([^\'"]+)\\1').exec(source);
    if (made !== null) reexports.push(made[2]);
  }
}

function guessNames(text) {
  const source = text.replace(COMMENTS, '$1');
  const names = new Set();
  const reexports = [];
  const add = (name) => { if (name !== '') names.add(unquote(name)); };
  for (const [pattern, group] of PATTERNS) {
    for (const match of source.matchAll(pattern)) add(match[group]);
  }
  for (const literal of source.matchAll(/\bmodule\s*\.\s*exports\s*=\s*\{/g)) {
    literalNames(source, literal.index + literal[0].length, add, reexports);
  }
  for (const match of source.matchAll(
    /\bmodule\s*\.\s*exports\s*=\s*require\(\s*(['"])([^'"]+)\1\s*\)/g)) reexports.push(match[2]);
  for (const match of source.matchAll(
    /\b__export(?:Star)?\(\s*require\(\s*(['"])([^'"]+)\1\s*\)/g)) reexports.push(match[2]);
  copiedNames(source, reexports);
  names.delete('');
  names.add('default');
  return { names: [...names], reexports };
}

function commonNames(file, seen = new Set(), source = undefined) {
  seen.add(file);
  const { names, reexports } = guessNames(source ?? fs.readFileSync(file, true, 0));
  const all = new Set(names);
  for (const request of reexports) {
    try {
      const Module = builtins.require('module');
      const found = Module._resolveFilename(request, { filename: file, id: file,
        paths: Module._nodeModulePaths(require('path').dirname(file)) });
      if (found[0] !== '/' || seen.has(found) || found.endsWith('.json')) continue;
      for (const name of commonNames(found, seen)) all.add(name);
    } catch {
      // The require itself will tell what is wrong.
    }
  }
  return [...all];
}

module.exports = { commonNames, exportNames };
