'use strict';
// Coverage of several programs as one: counts of the same function are added up.

const key = ({ startOffset, endOffset }) => `${startOffset}-${endOffset}`;

// How often the place of a range ran: the count of the innermost range around it.
function countAt(ranges, { startOffset, endOffset }) {
  let count = 0;
  for (const range of ranges) {
    if (range.startOffset <= startOffset && range.endOffset >= endOffset) count = range.count;
  }
  return count;
}

function mergeFunction(first, second) {
  const places = new Map();
  for (const range of [...first.ranges, ...second.ranges]) places.set(key(range), range);
  const ranges = [...places.values()].sort((a, b) => a.startOffset - b.startOffset ||
    b.endOffset - a.endOffset).map(({ startOffset, endOffset }) => {
    const place = { startOffset, endOffset };
    return { ...place, count: countAt(first.ranges, place) + countAt(second.ranges, place) };
  });
  return { functionName: first.functionName, ranges,
    isBlockCoverage: first.isBlockCoverage || second.isBlockCoverage };
}

// The functions of a text, from each list that was told of it.
function mergeFunctions(lists) {
  const merged = new Map();
  for (const one of lists.flat()) {
    const place = key(one.ranges[0]);
    const known = merged.get(place);
    merged.set(place, known === undefined ? one : mergeFunction(known, one));
  }
  return [...merged.values()].sort((a, b) =>
    a.ranges[0].startOffset - b.ranges[0].startOffset ||
    b.ranges[0].endOffset - a.ranges[0].endOffset);
}

module.exports = { mergeFunctions };
