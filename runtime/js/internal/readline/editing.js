'use strict';
// Editing a line on a terminal: the methods of an interface that change or show its line.

const screen = require('internal/readline/screen');

const KILLED = 32; // texts that were cut and can be put back
const UNDONE = 2048;

function lengthBefore({ line, cursor }) {
  if (cursor <= 0) return 0;
  const isPair = cursor > 1 && line.codePointAt(cursor - 2) > 0xffff;
  return isPair ? 2 : 1;
}

function lengthAfter({ line, cursor }) {
  if (line.length <= cursor) return 1; // ends at the end
  return line.codePointAt(cursor) > 0xffff ? 2 : 1;
}

function backwards(text) {
  return [...text].reverse().join('');
}

function wordBefore({ line, cursor }) {
  return /^\s*(?:[^\w\s]+|\w+)?/.exec(backwards(line.slice(0, cursor)))[0].length;
}

const shown = {
  _getDisplayPos(text) { return screen.placeAfter(text, this.columns, this.tabSize); },

  getCursorPos() { return this._getDisplayPos(this._prompt + this.line.slice(0, this.cursor)); },

  _getCursorPos() { return this.getCursorPos(); },

  _refreshLine() {
    const line = this._prompt + this.line;
    const end = this._getDisplayPos(line);
    const cursor = this.getCursorPos();
    if (this.prevRows > 0) screen.moveCursor(this.output, 0, -this.prevRows);
    screen.cursorTo(this.output, 0);
    screen.clearScreenDown(this.output);
    this._writeToOutput(line);
    // A full row: the terminal goes to the next one with the next character only.
    if (end.cols === 0) this._writeToOutput(' ');
    screen.cursorTo(this.output, cursor.cols);
    if (end.rows > cursor.rows) screen.moveCursor(this.output, 0, cursor.rows - end.rows);
    this.prevRows = cursor.rows;
  },

  _moveCursor(distance) {
    if (distance === 0) return;
    const before = this.getCursorPos();
    this.cursor = Math.max(0, Math.min(this.line.length, this.cursor + distance));
    const after = this.getCursorPos();
    if (before.rows === after.rows) screen.moveCursor(this.output, after.cols - before.cols, 0);
    else this._refreshLine();
  },

  clearLine() {
    this._moveCursor(+Infinity);
    this._writeToOutput('\r\n');
    this.line = '';
    this.cursor = 0;
    this.prevRows = 0;
  },

  _line() {
    const line = this._addHistory();
    this._undoStack.length = this._redoStack.length = 0;
    this.clearLine();
    this._onLine(line);
  },
};

const changes = {
  _beforeEdit(line, cursor) {
    this._undoStack.push({ line, cursor });
    if (this._undoStack.length > UNDONE) this._undoStack.shift();
    this._redoStack.length = 0;
  },

  _restore(from, to) {
    if (from.length === 0) return;
    to.push({ line: this.line, cursor: this.cursor });
    ({ line: this.line, cursor: this.cursor } = from.pop());
    this._refreshLine();
  },

  _undo() { this._restore(this._undoStack, this._redoStack); },

  _redo() { this._restore(this._redoStack, this._undoStack); },

  _insertString(text) {
    this._beforeEdit(this.line, this.cursor);
    if (this.cursor < this.line.length) {
      this.line = this.line.slice(0, this.cursor) + text + this.line.slice(this.cursor);
      this.cursor += text.length;
      this._refreshLine();
      return;
    }
    const before = this.getCursorPos();
    this.line += text;
    this.cursor += text.length;
    if (before.rows < this.getCursorPos().rows) this._refreshLine();
    else this._writeToOutput(text);
  },

  // Takes the text between two places out of the line.
  _cut(from, to, isKept) {
    this._beforeEdit(this.line, this.cursor);
    const cut = this.line.slice(from, to);
    this.line = this.line.slice(0, from) + this.line.slice(to);
    this.cursor = from;
    if (isKept) this._pushToKillRing(cut);
    this._refreshLine();
  },

  _deleteLeft() {
    if (this.cursor > 0 && this.line.length > 0) {
      this._cut(this.cursor - lengthBefore(this), this.cursor, false);
    }
  },

  _deleteRight() {
    if (this.cursor < this.line.length) {
      this._cut(this.cursor, this.cursor + lengthAfter(this), false);
    }
  },

  _deleteWordLeft() {
    if (this.cursor > 0) this._cut(this.cursor - wordBefore(this), this.cursor, false);
  },

  _deleteWordRight() {
    if (this.cursor >= this.line.length) return;
    const word = /^(?:\s+|\W+|\w+)\s*/.exec(this.line.slice(this.cursor))[0];
    this._cut(this.cursor, this.cursor + word.length, false);
  },

  _deleteLineLeft() { this._cut(0, this.cursor, true); },

  _deleteLineRight() { this._cut(this.cursor, this.line.length, true); },

  _pushToKillRing(text) {
    if (!text || text === this._killRing[0]) return;
    this._killRing.unshift(text);
    this._killRingCursor = 0;
    while (this._killRing.length > KILLED) this._killRing.pop();
  },

  _yank() {
    if (this._killRing.length > 0) this._insertString(this._killRing[this._killRingCursor]);
  },

  // In place of what was put back last, what was cut before it.
  _yankPop() {
    if (this._killRing.length <= 1) return;
    const last = this._killRing[this._killRingCursor];
    this._killRingCursor = (this._killRingCursor + 1) % this._killRing.length;
    const text = this._killRing[this._killRingCursor];
    const head = this.line.slice(0, this.cursor - last.length);
    this.line = head + text + this.line.slice(this.cursor);
    this.cursor = head.length + text.length;
    this._refreshLine();
  },
};

const moves = {
  _wordLeft() { if (this.cursor > 0) this._moveCursor(-wordBefore(this)); },

  _wordRight() {
    if (this.cursor >= this.line.length) return;
    this._moveCursor(/^(?:\s+|[^\w\s]+|\w+)\s*/.exec(this.line.slice(this.cursor))[0].length);
  },

  _characterLeft() { this._moveCursor(-lengthBefore(this)); },

  _characterRight() { this._moveCursor(lengthAfter(this)); },
};

const history = {
  _addHistory() {
    const { line } = this;
    if (line.length === 0) return '';
    if (!this.history || this.historySize === 0 || line.trim().length === 0) return line;
    if (this.history.length === 0 || this.history[0] !== line) {
      if (this.removeHistoryDuplicates) {
        const at = this.history.indexOf(line);
        if (at !== -1) this.history.splice(at, 1);
      }
      this.history.unshift(line);
      if (this.history.length > this.historySize) this.history.pop();
    }
    this.historyIndex = -1;
    this.emit('history', this.history);
    return line;
  },

  // The next line of the history, in that direction, that begins as what was typed.
  _historyStep(step) {
    const typed = this._substringSearch ?? '';
    let index = this.historyIndex + step;
    while (index >= 0 && index < this.history.length &&
           (!this.history[index].startsWith(typed) || this.line === this.history[index])) {
      index += step;
    }
    this.line = this.history[index] ?? typed;
    this.historyIndex = index;
    this.cursor = this.line.length;
    this._refreshLine();
  },

  _historyNext() {
    if (this.historyIndex < 0) return;
    this._beforeEdit(this.line, this.cursor);
    this._historyStep(-1);
  },

  _historyPrev() {
    if (this.historyIndex >= this.history.length || this.history.length === 0) return;
    this._beforeEdit(this.line, this.cursor);
    this._historyStep(1);
  },
};

module.exports = { editing: { ...shown, ...changes, ...moves, ...history } };
