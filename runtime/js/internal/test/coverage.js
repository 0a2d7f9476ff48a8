'use strict';
// --experimental-test-coverage: which lines, branches and functions the tests ran.

const fs = require('fs');
const path = require('path');
const { fileURLToPath } = require('url');
const { mergeFunctions } = require('internal/coverage/merge');

const KINDS = ['Line', 'Branch', 'Function'];
const LEAVES_OUT = /\/\*\s*node:coverage (disable|enable|ignore next)(?:\s+(\d+))?\s*\*\//;

let folder; // where the processes of the files write

// Before the program that has the tests: it is counted here, or in the processes of the files.
function start(hasProcesses) {
  const coverage = require('internal/coverage/coverage');
  if (hasProcesses) {
    folder = process.env.NODE_V8_COVERAGE ? undefined
      : fs.mkdtempSync(path.join(require('os').tmpdir(), 'node-coverage-'));
    if (folder !== undefined) process.env.NODE_V8_COVERAGE = folder;
  } else if (!coverage.start()) {
    process.emitWarning('coverage could not be collected: this engine counts nothing');
  }
}

function listsOfProcesses() {
  const from = process.env.NODE_V8_COVERAGE;
  const names = fs.existsSync(from) ? fs.readdirSync(from) : [];
  const lists = names.filter((name) => name.startsWith('coverage-')).sort()
    .map((name) => JSON.parse(fs.readFileSync(path.join(from, name), 'utf8')).result);
  if (folder !== undefined) {
    fs.rmSync(folder, { recursive: true, force: true });
    delete process.env.NODE_V8_COVERAGE;
  }
  return lists.flat();
}

// The lines of a text, and which of them comments leave out: those count as if they had run.
function linesOf(text) {
  const lines = [];
  let isOff = false;
  let skips = 0;
  let start = 0;
  const rows = text.split('\n');
  if (rows.at(-1) === '') rows.pop();
  rows.forEach((row, i) => {
    const [, word, count] = LEAVES_OUT.exec(row) ?? [];
    const end = start + row.replace(/\r$/, '').length;
    lines.push({ line: i + 1, start, end, count: 1, isLeftOut: isOff || skips > 0 });
    if (skips > 0) skips--;
    if (word === 'ignore next') skips = Number(count ?? 1);
    else if (word !== undefined) isOff = word === 'disable';
    start += row.length + 1;
  });
  return lines;
}

const lineAt = (lines, offset) => lines.findLast((line) => line.start <= offset) ?? lines[0];

// Lines that lie whole in a range ran as often as it did.
function countLines(lines, functions) {
  for (const { ranges } of functions) {
    for (const { startOffset, endOffset, count } of ranges) {
      for (const line of lines) {
        const isInside = startOffset <= line.start && endOffset >= line.end;
        if (isInside && !line.isLeftOut) line.count = count;
      }
    }
  }
}

const percent = (covered, total) => (total === 0 ? 100 : (covered / total) * 100);

function countsOf(name, list) {
  const covered = list.filter(({ count, isLeftOut }) => count > 0 || isLeftOut).length;
  return { [`total${name}Count`]: list.length, [`covered${name}Count`]: covered,
    [`covered${name}Percent`]: percent(covered, list.length) };
}

function describeFile(file, text, functions) {
  const lines = linesOf(text);
  if (lines.length === 0) return undefined;
  countLines(lines, functions);
  const at = ({ startOffset, count }) => {
    const { line, isLeftOut } = lineAt(lines, startOffset);
    return { line, count, isLeftOut };
  };
  const shown = ({ line, count }) => ({ line, count });
  const branches = functions.filter(({ isBlockCoverage }) => isBlockCoverage)
    .flatMap(({ ranges }) => ranges.map(at));
  // The first one is the file itself.
  const inside = functions.slice(1).map(({ functionName, ranges }) =>
    ({ name: functionName, ...at(ranges[0]) }));
  return { path: file, ...countsOf('Line', lines), ...countsOf('Branch', branches),
    ...countsOf('Function', inside),
    functions: inside.map((one) => ({ name: one.name, ...shown(one) })),
    branches: branches.map(shown),
    lines: lines.filter((line) => !line.isLeftOut).map(shown) };
}

function totalsOf(files) {
  const totals = {};
  const sum = (name) => files.reduce((all, file) => all + file[name], 0);
  for (const kind of KINDS) {
    totals[`total${kind}Count`] = sum(`total${kind}Count`);
    totals[`covered${kind}Count`] = sum(`covered${kind}Count`);
    totals[`covered${kind}Percent`] =
      percent(totals[`covered${kind}Count`], totals[`total${kind}Count`]);
  }
  return totals;
}

function summary(hasProcesses) {
  const scripts = hasProcesses ? listsOfProcesses()
    : require('internal/coverage/coverage').take({ isWanted: (url) => url.startsWith('file:') });
  const lists = new Map();
  for (const { url, functions } of scripts) {
    if (url.includes('/node_modules/')) continue;
    if (!lists.has(url)) lists.set(url, []);
    lists.get(url).push(functions);
  }
  const files = [];
  for (const [url, all] of lists) {
    const file = fileURLToPath(url);
    if (!fs.existsSync(file)) continue;
    files.push(describeFile(file, fs.readFileSync(file, 'utf8'), mergeFunctions(all)));
  }
  const found = files.filter(Boolean).sort((a, b) => (a.path < b.path ? -1 : 1));
  return { workingDirectory: process.cwd(), files: found, totals: totalsOf(found) };
}

module.exports = { start, summary };
