'use strict';
// The table of coverage, for the reporters for people.

const { relative } = require('path');

const HEADS = ['line %', 'branch %', 'funcs %'];
const KINDS = ['Line', 'Branch', 'Function'];

// "3-4 8"
function missed(lines) {
  const found = [];
  for (const { line, count } of lines) {
    if (count > 0) continue;
    if (found.at(-1)?.[1] === line - 1) found.at(-1)[1] = line;
    else found.push([line, line]);
  }
  return found.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`))
    .join(' ');
}

const percents = (counts) => KINDS.map((kind, i) =>
  counts[`covered${kind}Percent`].toFixed(2).padStart(HEADS[i].length)).join(' | ');

function table({ workingDirectory, files, totals }) {
  const names = files.map((file) => relative(workingDirectory, file.path));
  const width = Math.max(...[...names, 'all files'].map((name) => name.length));
  const head = `${'file'.padEnd(width)} | ${HEADS.join(' | ')} | uncovered lines`;
  const rule = '-'.repeat(head.length + 1);
  return ['start of coverage report', rule, head, rule,
    ...files.map((file, i) =>
      `${names[i].padEnd(width)} | ${percents(file)} | ${missed(file.lines)}`),
    rule, `${'all files'.padEnd(width)} | ${percents(totals)} |`, rule, 'end of coverage report'];
}

module.exports = { table };
