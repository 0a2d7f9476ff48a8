'use strict';
// What an assertion says of two values: line by line, with the lines that both have in common cut
// short. Lines are compared by their place, counted from the top after the common end is taken off.

const MOST_LINES = 50;
const CONTEXT = 2; // lines that are shown on each side of a cut
const TAIL = 3; // lines that are shown of the common end, beside its first

function withoutComma(line) {
  return line.endsWith(',') ? line.slice(0, -1) : line;
}

// A comma may be there because more follows.
function isSame(a, b) {
  return a === b || (withoutComma(a) === withoutComma(b) && (a.endsWith(',') || b.endsWith(',')));
}

class Diff {
  constructor() {
    this.lines = [];
    this.waiting = []; // lines of the expected value, behind those of the actual one
    this.count = 0;
    this.common = []; // lines that both have, since the last that differ
    this.isCut = false;
  }

  keep(line) { this.common.push(line); }

  cut() {
    this.lines.push('...');
    this.isCut = true;
  }

  // The lines in common are shown when the next difference, or the end, is known.
  flush() {
    if (this.common.length === 0) return;
    this.lines.push(...this.waiting.splice(0));
    const { common } = this;
    const show = (line) => {
      this.lines.push(`  ${line}`);
      this.count++;
    };
    if (common.length > 2 * CONTEXT + 1) {
      common.slice(0, CONTEXT).forEach(show);
      this.cut();
      common.slice(-CONTEXT).forEach(show);
    } else {
      common.forEach(show);
    }
    this.common = [];
  }

  add(actual, expected) {
    this.flush();
    if (actual !== undefined) this.lines.push(`+ ${actual}`);
    if (expected !== undefined) this.waiting.push(`- ${expected}`);
    this.count += actual !== undefined && expected !== undefined ? 2 : 1;
  }

  end(tail) {
    this.lines.push(...this.waiting.splice(0));
    if (tail.length > TAIL + 1) {
      this.lines.push(`  ${tail[0]}`);
      this.cut();
      tail = tail.slice(-TAIL);
    }
    this.lines.push(...tail.map((line) => `  ${line}`));
  }

  stop() {
    this.lines.push('...', ...this.waiting.splice(0), '...');
    this.isCut = true;
  }
}

function commonEnd(a, b) {
  const tail = [];
  while (a.length > 0 && b.length > 0 && a[a.length - 1] === b[b.length - 1]) {
    tail.unshift(a.pop());
    b.pop();
  }
  return tail;
}

// Lines of two texts that are not the same.
function compareLines(a, b) {
  const tail = commonEnd(a, b);
  const diff = new Diff();
  const most = Math.max(a.length, b.length);
  for (let i = 0; i < most; i++) {
    if (i < a.length && i < b.length && isSame(a[i], b[i])) {
      diff.keep(a[i].endsWith(',') ? a[i] : b[i]);
      continue;
    }
    diff.add(a[i], b[i]);
    if (diff.count > MOST_LINES && i < most - 2) {
      diff.stop();
      return diff;
    }
  }
  diff.flush();
  diff.end(tail);
  return diff;
}

// Of two values that fit on a line: a caret below the first character that differs.
function caret(a, b) {
  const width = process.stderr.isTTY ? process.stderr.columns : 80;
  if (a.length + b.length >= width) return '';
  let i = 0;
  while (a[i] === b[i]) i++;
  return i > 2 ? `\n  ${' '.repeat(i)}^` : '';
}

module.exports = { compareLines, caret };
