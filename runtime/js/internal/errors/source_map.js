'use strict';
// Source maps: what module.findSourceMap knows, and the places that stacks show with
// --enable-source-maps.

const path = require('path');
const { invalidArgType } = require('internal/errors/errors');

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const CONTINUES = 32;

// Numbers of a segment: base 64, five bits each, the sign in the lowest.
function readNumbers(text) {
  const numbers = [];
  let value = 0;
  let shift = 0;
  for (let i = 0; i < text.length; i++) {
    const digit = DIGITS.indexOf(text[i]);
    value += (digit & (CONTINUES - 1)) << shift;
    if (digit & CONTINUES) {
      shift += 5;
      continue;
    }
    numbers.push(value & 1 ? (value === 1 ? -(2 ** 31) : -(value >>> 1)) : value >>> 1);
    value = 0;
    shift = 0;
  }
  return numbers;
}

// `rows` are the lines of the generated file: lists of [column, source, original line, original
// column, name].
function readMap(map, rows, lineAt = 0, columnAt = 0) {
  let source = 0;
  let line = 0;
  let column = 0;
  let name = 0;
  map.mappings.split(';').forEach((row, index) => {
    let at = 0;
    for (const segment of row.split(',')) {
      if (segment === '') continue;
      const numbers = readNumbers(segment);
      at += numbers[0];
      const place = [at + (index === 0 ? columnAt : 0)];
      if (numbers.length > 3) {
        source += numbers[1];
        line += numbers[2];
        column += numbers[3];
        place.push(map.sources[source], line, column);
        if (numbers.length > 4) {
          name += numbers[4];
          place.push(map.names?.[name]);
        }
      }
      (rows[index + lineAt] ??= []).push(place);
    }
  });
}

// The last entry of a row that begins at the column or before it.
function lastUntil(row, column) {
  let count = row.length;
  let start = 0;
  while (count > 0) {
    const half = count >> 1;
    const isBefore = row[start + half][0] <= column;
    if (isBefore) start += half + 1;
    count = isBefore ? count - half - 1 : half;
  }
  return row[start - 1];
}

class SourceMap {
  #payload;
  #rows = [];
  #lineLengths;

  constructor(payload, { lineLengths } = {}) {
    if (payload === null || typeof payload !== 'object') {
      throw invalidArgType('payload', 'Object', payload);
    }
    this.#payload = structuredClone(payload);
    if (Array.isArray(payload.sections)) {
      for (const { map, offset } of payload.sections)
        readMap(map, this.#rows, offset.line, offset.column);
    } else {
      readMap(payload, this.#rows);
    }
    for (const row of this.#rows) row?.sort((a, b) => a[0] - b[0]);
    this.#lineLengths = lineLengths;
  }

  get payload() { return structuredClone(this.#payload); }

  get lineLengths() {
    return this.#lineLengths === undefined ? undefined : this.#lineLengths.slice();
  }

  // The entry at a place, or the last one before it: that may be in a line above. Without a line it
  // is the last of all, without a column the last of the line.
  findEntry(line = Infinity, column = Infinity) {
    const rows = this.#rows;
    let generatedLine = Math.min(Math.floor(line), rows.length - 1);
    let entry = generatedLine === line
      ? lastUntil(rows[generatedLine] ?? [], column) : undefined;
    while (entry === undefined && generatedLine >= 0) {
      if (generatedLine < line) entry = rows[generatedLine]?.at(-1);
      if (entry === undefined) generatedLine--;
    }
    if (entry === undefined) return {};
    const [generatedColumn, originalSource, originalLine, originalColumn, name] = entry;
    return {
      generatedLine, generatedColumn, originalSource, originalLine, originalColumn, name,
    };
  }

  // Where a place that a stack names (counted from 1) was written: as far behind the entry's
  // origin as it is behind the entry.
  findOrigin(lineNumber, columnNumber) {
    const entry = this.findEntry(lineNumber - 1, columnNumber - 1);
    const { name, originalSource: fileName } = entry;
    if (fileName === undefined) return {};
    const down = entry.originalLine - entry.generatedLine;
    const right = entry.originalColumn - entry.generatedColumn;
    return { name, fileName, lineNumber: lineNumber + down, columnNumber: columnNumber + right };
  }
}

const known = new Map(); // file -> SourceMap, or a function that makes it

function readPayload(file, address) {
  try {
    if (address.startsWith('data:')) {
      const [head, body] = [address.slice(5, address.indexOf(',')),
        address.slice(address.indexOf(',') + 1)];
      const [type, ...rest] = head.split(';');
      if (type !== 'application/json') return null;
      return JSON.parse(rest.includes('base64') ? Buffer.from(body, 'base64').toString()
        : decodeURIComponent(body));
    }
    const folder = path.dirname(file);
    return JSON.parse(binding('fs').readFileSync(path.resolve(folder, address), true, 0));
  } catch {
    return null;
  }
}

// Sources by their full addresses.
function withAddresses(payload, file) {
  const { toUrl } = require('internal/esm/resolve');
  const base = toUrl(file);
  const root = payload.sourceRoot ? new URL(payload.sourceRoot, base).href : base;
  if (Array.isArray(payload.sources)) {
    payload.sources = payload.sources.map((source) => new URL(source, root).href);
  }
  return payload;
}

// The last comment that names a map; what stands in a text is none.
function addressIn(content) {
  const found = [...content.matchAll(/(\/[*/])[#@]\s+sourceMappingURL=([^\s'"`]+)(?=[\s*]|$)/g)];
  return found.findLast(({ index }) => isComment(content, index))?.[2];
}

// Another backquote changes nothing in a comment, and breaks the text that it cuts in two.
function isComment(content, at) {
  const next = content.indexOf('`', at);
  if (next === -1 || content.lastIndexOf('`', at) === -1) return true;
  const native = binding('modules');
  const changed = `${content.slice(0, at + 2)}\`${content.slice(at + 2)}`;
  try {
    native.compileFunction(changed, 'hint');
    return true;
  } catch {
    return native.looksLikeModule(changed);
  }
}

const fileOf = (name) =>
  (name.startsWith('file://') ? require('internal/esm/resolve').toPath(name) : name);
const lengthsOf = (content) =>
  content.split('\n').map((line) => line.length);

// Remembers what a source says of its map.
function note(name, content) {
  const address = addressIn(content);
  if (address === undefined) return;
  const file = fileOf(name);
  known.set(file, () => {
    const payload = readPayload(file, address);
    if (payload === null) return undefined;
    return new SourceMap(withAddresses(payload, file), { lineLengths: lengthsOf(content) });
  });
}

// The map of a source as reports of coverage have it; undefined if there is none.
function mapOf(url, content) {
  const address = addressIn(content);
  if (address === undefined) return undefined;
  const file = fileOf(url);
  const payload = readPayload(file, address);
  return { lineLengths: lengthsOf(content), url: address.startsWith('data:') ? null : address,
    data: payload === null ? null : withAddresses(payload, file) };
}

function findSourceMap(name) {
  const file = `${name}`.startsWith('file://') ? require('internal/esm/resolve').toPath(name)
    : `${name}`;
  const found = known.get(file);
  if (typeof found !== 'function') return found;
  const made = found();
  known.set(file, made);
  return made;
}

let isOn = false;

// Where a place was written, with the text of that line if the map has it; undefined if there is no
// map.
function originOf({ file, line, column, ...more }) {
  const map = findSourceMap(file);
  const entry = map?.findEntry(line - 1, column - 1);
  if (entry?.originalSource === undefined) return undefined;
  const source = entry.originalSource;
  const { sources = [], sourcesContent } = map.payload;
  const name = source.startsWith('file://') ? require('internal/esm/resolve').toPath(source)
    : source;
  const text = sourcesContent?.[sources.indexOf(source)] ??
    require('internal/modules/sources').get(name);
  if (text === undefined) return undefined;
  return { ...more, file: name, line: entry.originalLine + 1, column: entry.originalColumn + 1,
    text: text.split('\n')[entry.originalLine], isMapped: true };
}

function entryAt([, , file, line, column]) {
  const entry = findSourceMap(file)?.findEntry(line - 1, column - 1);
  return entry?.originalSource === undefined ? undefined : entry;
}

// A function has the name by which its caller called it where that was written, if the map has it.
function mappedFrame(row, frame, below) {
  const entry = entryAt(frame);
  if (entry === undefined) return row;
  const written = /^[\w$]*$/.test(frame[1]) && below ? entryAt(below)?.name : undefined;
  const name = written || frame[1];
  const source = entry.originalSource.startsWith('file://')
    ? require('internal/esm/resolve').toPath(entry.originalSource) : entry.originalSource;
  const place = `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  return `    at ${name || '<anonymous>'} (${place})`;
}

// Lines of a stack with the places of what was written, where that is known.
function mapFrames(text) {
  const rows = text.split('\n');
  const frames = rows.map((row) => {
    const frame = /^ {4}at (.*) \((.+):(\d+):(\d+)\)$/.exec(row) ??
      /^ {4}at ()(.+):(\d+):(\d+)$/.exec(row);
    return frame === null || frame[2].startsWith('node:') ? undefined : frame;
  });
  return rows.map((row, i) => frames[i] === undefined ? row
    : mappedFrame(row, frames[i], frames[i + 1])).join('\n');
}

// --enable-source-maps, process.setSourceMapsEnabled
function enable(on) {
  isOn = on;
  require('internal/errors/stacks').mapping.frames = on ? mapFrames : undefined;
}

module.exports = { originOf, enable, isOn: () => isOn, SourceMap, findSourceMap, mapOf, note };
