'use strict';
// What the engine has counted of a text (runtime/bindings/coverage.c), as V8 tells it: for each
// function its range, and in it the ranges that ran more or less often than what is around them.

const { nameOf } = require('internal/coverage/names');

const FIELDS = 5;
const BLOCK = 1;
const INITIALIZERS = { 2: '<instance_members_initializer>', 3: '<static_initializer>' };

// `headLength` is what stands around a CommonJS file: it is no part of the text.
function readRanges(buffer, text, headLength) {
  const numbers = new Float64Array(buffer);
  const place = (at) => Math.min(Math.max(at - headLength, 0), text.length);
  const ranges = [];
  for (let i = 0; i < numbers.length; i += FIELDS) {
    const [start, end, parent, kind, count] = numbers.subarray(i, i + FIELDS);
    ranges.push({ start: place(start), end: end < 0 ? -1 : place(end), parent, kind, count });
  }
  return ranges;
}

// A block without an end goes on to the next one beside it, or to the end of what it is in.
function closeLast(node, isFunction) {
  if (node.open === undefined) return;
  node.open.end = isFunction ? node.end - 1 : node.end;
  node.open = undefined;
}

function nest({ start, end, count }, blocks, text) {
  const root = { start, end, count, children: [] };
  const path = [root];
  for (const block of blocks.toSorted((a, b) => a.start - b.start)) {
    while (path.length > 1 && path.at(-1).end <= block.start) closeLast(path.pop(), false);
    const around = path.at(-1);
    const rest = text.slice(block.start, around === root ? root.end - 1 : around.end);
    if (block.end < 0 && rest.trim() === '') continue;
    if (around.open !== undefined) around.open.end = block.start;
    around.open = undefined;
    const node = { start: block.start, end: block.end, count: block.count, children: [] };
    around.children.push(node);
    if (node.end < 0) around.open = node;
    else path.push(node);
  }
  while (path.length > 1) closeLast(path.pop(), false);
  closeLast(root, true);
  return root;
}

// Without what ran as often as what is around it; neighbours with the same count are one.
function prune(node, text) {
  const kept = [];
  for (const child of node.children) {
    if (text.slice(child.start, child.end).trim() === '') continue;
    child.children = prune(child, text);
    const found = child.count === node.count ? child.children : [child];
    for (const range of found) {
      const last = kept.at(-1);
      if (last?.end === range.start && last.count === range.count) {
        last.end = range.end;
        last.children.push(...range.children);
      } else {
        kept.push(range);
      }
    }
  }
  return kept;
}

function list(nodes, to) {
  for (const { start, end, count, children } of nodes) {
    to.push({ startOffset: start, endOffset: end, count });
    list(children, to);
  }
  return to;
}

function describe(range, blocks, text, isOutermost) {
  const functionName = isOutermost ? '' : INITIALIZERS[range.kind] ?? nameOf(text, range.start);
  const { start, end, count } = range;
  const ranges = [{ startOffset: start, endOffset: end, count }];
  if (count > 0) list(prune(nest(range, blocks, text), text), ranges);
  return { functionName, ranges, isBlockCoverage: count > 0 };
}

function functionsOf(buffer, text, headLength) {
  const ranges = readRanges(buffer, text, headLength);
  // The first range is the whole text, the second one the function around a CommonJS file.
  const first = headLength > 0 ? 1 : 0;
  const blocksOf = new Map();
  for (const range of ranges) {
    if (range.kind !== BLOCK) continue;
    if (!blocksOf.has(range.parent)) blocksOf.set(range.parent, []);
    blocksOf.get(range.parent).push(range);
  }
  const functions = [];
  ranges.forEach((range, i) => {
    if (range.kind === BLOCK || i < first) return;
    functions.push(describe(range, blocksOf.get(i) ?? [], text, i === first));
  });
  return functions.sort((a, b) => a.ranges[0].startOffset - b.ranges[0].startOffset ||
    b.ranges[0].endOffset - a.ranges[0].endOffset);
}

module.exports = { functionsOf };
