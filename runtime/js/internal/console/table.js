'use strict';
// console.table

const { inspect } = require('internal/inspect/inspect');
const { width } = require('internal/inspect/text');

function cell(value) {
  return inspect(value, {
    maxArrayLength: 3, breakLength: Infinity, colors: false,
    depth: value !== null && typeof value === 'object' && !Array.isArray(value) &&
      Object.keys(value).length > 2 ? -1 : 0,
  });
}

function place(text, room) {
  return ` ${text}${' '.repeat(room - 1 - width(text))}`;
}

function draw(head, rows) {
  const widths = head.map((text, i) =>
    Math.max(width(text), ...rows.map((row) => width(row[i]))) + 2);
  const bars = widths.map((w) => '─'.repeat(w));
  const line = (cells) => `│${cells.map((text, i) => place(text, widths[i])).join('│')}│`;
  return [`┌${bars.join('┬')}┐`, line(head), `├${bars.join('┼')}┤`, ...rows.map(line),
    `└${bars.join('┴')}┘`].join('\n');
}

function table(data, columns) {
  if (data === null || typeof data !== 'object') return undefined;
  const rest = binding('util').iteratorRest(data);
  const isMap = data instanceof Map || rest?.[0];
  const isSet = data instanceof Set || rest !== undefined;
  if (rest !== undefined) [, data] = rest;
  const index = isMap || isSet ? '(iteration index)' : '(index)';
  if (isMap) {
    const rows = [...data].map(([key, value], i) => [String(i), cell(key), cell(value)]);
    return draw([index, 'Key', 'Values'], rows);
  }
  const entries = isSet ? [...data].map((value, i) => [i, value])
    : Object.keys(data).map((key) => [key, data[key]]);
  const keys = columns ? [...columns] : [];
  let hasValues = false;
  for (const [, value] of entries) {
    if (value !== null && typeof value === 'object') {
      if (!columns) {
        for (const key of Object.keys(value)) if (!keys.includes(key)) keys.push(key);
      }
    } else {
      hasValues = true;
    }
  }
  const hasColumn = hasValues && !columns;
  const rows = entries.map(([key, value]) => {
    const isObject = value !== null && typeof value === 'object';
    const row = [String(key), ...keys.map((name) =>
      (isObject && Object.hasOwn(value, name) ? cell(value[name]) : ''))];
    if (hasColumn) row.push(isObject ? '' : cell(value));
    return row;
  });
  return draw([index, ...keys, ...(hasColumn ? ['Values'] : [])], rows);
}

module.exports = { table };
