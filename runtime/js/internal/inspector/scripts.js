'use strict';
// The texts that were compiled while a program is inspected: their addresses, and where they can
// stop. Lines and columns are the protocol's (from 0); a mark keeps the engine's (from 1) too.

const { toUrl } = require('internal/esm/esm');

// What stands around a CommonJS file (runtime/engine/modules.c).
const HEAD = '(function (exports, require, module, __filename, __dirname) { ';
const TAIL = '\n})';
const MODULE = 1; // of the engine's flags
const RETURN = 1;
const DEBUGGER = 2;
const HINT = 'hint'; // a text that was only compiled to see what it is
const EVALUATED = '<input>';

const all = new Map(); // by id
const byFile = new Map(); // the last one of each name
let lastId = 0;
let hidden = 0;

function urlOf(name) {
  const file = name.replace(/\x01.*$/s, ''); // the number of a script of vm
  if (file.startsWith('/')) return toUrl(file);
  return file === EVALUATED ? '' : file;
}

// The engine counts from 1; what stands around a file is on its first line.
function columnOf(line, column, headLength) {
  if (line !== 1) return column - 1;
  return column - 1 - headLength;
}

// Of the engine's rows of line, column and kind.
function readMarks(buffer, headLength, lines) {
  const rows = new Int32Array(buffer);
  const marks = [];
  for (let i = 0; i < rows.length; i += 3) {
    const [line, column, kind] = rows.subarray(i, i + 3);
    const mark = { line: line - 1, column: columnOf(line, column, headLength), kind,
      raw: [line, column] };
    if (mark.column < 0) continue;
    // What stands behind the file is not of it.
    if (mark.line >= lines.length) {
      Object.assign(mark, { line: lines.length - 1, column: lines.at(-1).length });
      if (marks.at(-1)?.raw[0] === line) continue;
    }
    marks.push(mark);
  }
  return marks.sort((a, b) => a.line - b.line || a.column - b.column);
}

function tail(text, mark) {
  const found = [...text.matchAll(new RegExp(`^[ \\t]*//[#@] ${mark}=[ \\t]*(\\S+)`, 'gm'))];
  return found.at(-1)?.[1] ?? '';
}

function unwrap(source) {
  const headLength = source.startsWith(HEAD) && source.endsWith(TAIL) ? HEAD.length : 0;
  return { headLength, text: headLength > 0 ? source.slice(headLength, -TAIL.length) : source };
}

// A text was compiled; undefined if it is known already, or of no interest.
function add(file, source, flags, marks, context) {
  if (hidden > 0 || file === HINT) return undefined;
  const { text, headLength } = unwrap(source);
  const known = byFile.get(file);
  if (known !== undefined && known.source === text && file !== EVALUATED) return undefined;
  const lines = text.split('\n');
  const named = tail(text, 'sourceURL');
  const script = {
    id: `${++lastId}`, file, url: named || urlOf(file), source: text, headLength, context,
    marks: readMarks(marks, headLength, lines), isModule: (flags & 3) === MODULE,
    hasUrl: named !== '', sourceMap: tail(text, 'sourceMappingURL'),
    endLine: lines.length - 1, endColumn: lines.at(-1).length,
  };
  all.set(script.id, script);
  byFile.set(file, script);
  return script;
}

// What is compiled meanwhile is the inspector's own.
function hide(work) {
  hidden++;
  try {
    return work();
  } finally {
    hidden--;
  }
}

// Where the engine says that something is.
function locate(file, line, column) {
  const script = byFile.get(file);
  const place = { scriptId: script?.id ?? '0', lineNumber: line - 1,
    columnNumber: Math.max(columnOf(line, column, script?.headLength ?? 0), 0) };
  if (script !== undefined && place.lineNumber > script.endLine) {
    Object.assign(place, { lineNumber: script.endLine, columnNumber: script.endColumn });
  }
  return place;
}

// Whether a frame is of what stands around a file: it runs when the file is compiled.
function isAround({ file, fn }) {
  return file === HINT || (byFile.get(file)?.headLength ?? 0) > 0 &&
    Object.getOwnPropertyDescriptor(fn, 'name')?.value === '<eval>';
}

// The first place at or behind a line and a column where the script can stop.
function resolve(script, line, column = 0) {
  return script.marks.find((mark) => mark.line > line ||
    (mark.line === line && mark.column >= column));
}

function possible(script, start, end) {
  const found = [];
  for (const mark of script.marks) {
    const isBefore = mark.line < start.lineNumber ||
      (mark.line === start.lineNumber && mark.column < (start.columnNumber ?? 0));
    const isBehind = end !== undefined && (mark.line > end.lineNumber ||
      (mark.line === end.lineNumber && mark.column >= (end.columnNumber ?? 0)));
    if (isBefore || isBehind) continue;
    const place = { scriptId: script.id, lineNumber: mark.line, columnNumber: mark.column };
    if (mark.kind === RETURN) place.type = 'return';
    if (mark.kind === DEBUGGER) place.type = 'debuggerStatement';
    found.push(place);
  }
  return found;
}

module.exports = {
  HINT, all, byFile, add, hide, locate, isAround, resolve, possible, unwrap, urlOf,
};
