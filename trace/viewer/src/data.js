// Reads what the writer put into the page (DATA.md): a JSON head, and rows of 32 bytes in base64.
import { SHARES } from './kinds.js';
import { mergeTraces } from './merge.js';

const ROW_BYTES = 32;
const MOST_SUBJECTS = 1 << 24;

function bytesOf(base64) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

function emptyRows(count) {
  return {
    count,
    start: new Float64Array(count),
    duration: new Float64Array(count),
    kind: new Uint8Array(count),
    detail: new Uint8Array(count),
    track: new Uint16Array(count),
    name: new Uint32Array(count),
    subject: new Uint32Array(count),
    value: new Int32Array(count),
  };
}

// Typed arrays read in the machine's byte order: little-endian on everything that runs this page.
function copyBlock(bytes, rows, at) {
  const count = bytes.length / ROW_BYTES;
  const doubles = new Float64Array(bytes.buffer, bytes.byteOffset, count * 4);
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, count * 8);
  const halves = new Uint16Array(bytes.buffer, bytes.byteOffset, count * 16);
  for (let i = 0; i < count; i++, at++) {
    rows.start[at] = doubles[i * 4];
    rows.duration[at] = Math.max(0, doubles[i * 4 + 1]);
    rows.kind[at] = bytes[i * ROW_BYTES + 16];
    rows.detail[at] = bytes[i * ROW_BYTES + 17];
    rows.track[at] = halves[i * 16 + 9];
    rows.name[at] = words[i * 8 + 5];
    rows.subject[at] = words[i * 8 + 6];
    rows.value[at] = words[i * 8 + 7];
  }
  return at;
}

function isSorted(start) {
  for (let i = 1; i < start.length; i++) if (start[i] < start[i - 1]) return false;
  return true;
}

function sortRows(rows) {
  const { start, duration, kind } = rows;
  const order = new Uint32Array(rows.count).map((_, index) => index);
  order.sort((a, b) => start[a] - start[b] || duration[b] - duration[a] || kind[a] - kind[b]);
  const sorted = { count: rows.count };
  for (const [column, values] of Object.entries(rows)) {
    if (column === 'count') continue;
    sorted[column] = new values.constructor(rows.count);
    for (let i = 0; i < rows.count; i++) sorted[column][i] = values[order[i]];
  }
  return sorted;
}

// Tables are indexed by subject: numbers with large gaps are counted anew.
function renumberSubjects(rows) {
  if (rows.subject.every((subject) => subject <= MOST_SUBJECTS)) return;
  const numbers = new Map([[0, 0]]);
  rows.subject.forEach((subject, row) => {
    if (rows.kind[row] === SHARES) return;
    if (!numbers.has(subject)) numbers.set(subject, numbers.size);
    rows.subject[row] = numbers.get(subject);
  });
}

function checkedHead(text) {
  const head = JSON.parse(text);
  if (head.version !== 1)
    throw new Error(`This page reads version 1, the data has ${head.version}.`);
  const strings = head.strings?.length ? head.strings : [''];
  const types = head.types?.length ? head.types : [''];
  const tracks = head.tracks ?? [];
  const lists = { processes: [], sentences: [], functions: [], stacks: [] };
  const none = { detail: null, seconds: null, program: '' };
  const { loops, pool } = head.figures ?? {};
  if (!loops) throw new Error("The report's figures are not in the data.");
  const figures = { loops, pools: (head.processes ?? []).map(() => pool) };
  return { ...lists, ...none, ...head, strings, types, tracks, figures };
}

// The rows of the blocks, which are taken out of the page: their text is large.
function readRows(blocks, head) {
  const parts = [];
  let count = 0;
  for (const block of blocks) {
    const bytes = bytesOf(block.textContent);
    if (bytes.length % ROW_BYTES) throw new Error('A block of rows is cut off.');
    parts.push(bytes);
    count += bytes.length / ROW_BYTES;
    block.remove();
  }
  const rows = emptyRows(count);
  let at = 0;
  for (const bytes of parts) at = copyBlock(bytes, rows, at);
  for (let i = 0; i < count; i++) {
    if (rows.track[i] >= head.tracks.length)
      throw new Error('A row names a track that is not there.');
  }
  renumberSubjects(rows);
  return rows;
}

// Returns { head, rows }, or null when the page has no data. Throws an Error that says what is
// wrong. Rows belong to the head that stands before them.
export function readTrace(page) {
  const found = [];
  for (const element of page.querySelectorAll('script.trace-head, script.trace-rows')) {
    if (element.classList.contains('trace-head')) found.push({ element, blocks: [] });
    else found.at(-1)?.blocks.push(element);
  }
  if (!found.length) return null;
  const recordings = found.map(({ element, blocks }) => {
    const head = checkedHead(element.textContent);
    return { head, rows: readRows(blocks, head) };
  });
  const { head, rows } = recordings.length > 1 ? mergeTraces(recordings) : recordings[0];
  return { head, rows: isSorted(rows.start) ? rows : sortRows(rows) };
}
