'use strict';
// Which key does what to the line, and completion.

const screen = require('internal/readline/screen');
const { width } = require('internal/inspect/text');

const LINE_END = /\r\n|\n|\r(?!\n)/g;

const CONTROL_SHIFT = {
  backspace: (r) => r._deleteLineLeft(), delete: (r) => r._deleteLineRight(),
};

const CONTROL = {
  c(r) {
    if (r.listenerCount('SIGINT') > 0) r.emit('SIGINT');
    else r.close();
  },
  d(r) {
    if (r.cursor === 0 && r.line.length === 0) r.close();
    else if (r.cursor < r.line.length) r._deleteRight();
  },
  h: (r) => r._deleteLeft(),
  u: (r) => r._deleteLineLeft(),
  k: (r) => r._deleteLineRight(),
  a: (r) => r._moveCursor(-Infinity),
  e: (r) => r._moveCursor(+Infinity),
  b: (r) => r._characterLeft(),
  f: (r) => r._characterRight(),
  l(r) {
    screen.cursorTo(r.output, 0, 0);
    screen.clearScreenDown(r.output);
    r.prevRows = 0;
    r._refreshLine();
  },
  n: (r) => r._historyNext(),
  p: (r) => r._historyPrev(),
  y: (r) => r._yank(),
  z: suspend,
  w: (r) => r._deleteWordLeft(),
  backspace: (r) => r._deleteWordLeft(),
  delete: (r) => r._deleteWordRight(),
  left: (r) => r._wordLeft(),
  right: (r) => r._wordRight(),
};

const META = {
  b: (r) => r._wordLeft(), left: (r) => r._wordLeft(),
  f: (r) => r._wordRight(), right: (r) => r._wordRight(),
  d: (r) => r._deleteWordRight(), delete: (r) => r._deleteWordRight(),
  backspace: (r) => r._deleteWordLeft(), y: (r) => r._yankPop(),
};

const PLAIN = {
  return(r) {
    r._sawReturnAt = Date.now();
    r._line();
  },
  enter(r) {
    // The second half of \r\n is no line of its own.
    if (r._sawReturnAt === 0 || Date.now() - r._sawReturnAt > r.crlfDelay) r._line();
    r._sawReturnAt = 0;
  },
  backspace: (r) => r._deleteLeft(), delete: (r) => r._deleteRight(),
  left: (r) => r._characterLeft(), right: (r) => r._characterRight(),
  home: (r) => r._moveCursor(-Infinity), end: (r) => r._moveCursor(+Infinity),
  up: (r) => r._historyPrev(), down: (r) => r._historyNext(),
};

// Back in the foreground, the line is shown again, unless the program went on otherwise.
function suspend(r) {
  if (process.platform === 'win32') return;
  if (r.listenerCount('SIGTSTP') > 0) {
    r.emit('SIGTSTP');
    return;
  }
  process.once('SIGCONT', () => {
    if (!r.paused) {
      r.pause();
      r.emit('SIGCONT');
    }
    r._setRawMode(true);
    r._refreshLine();
  });
  r._setRawMode(false);
  process.kill(process.pid, 'SIGTSTP');
}

function insertText(r, text) {
  let from = 0;
  let end;
  LINE_END.lastIndex = 0;
  while ((end = LINE_END.exec(text)) !== null) {
    r._insertString(text.slice(from, end.index));
    from = LINE_END.lastIndex;
    r._line();
    LINE_END.lastIndex = from;
  }
  if (from < text.length) r._insertString(text.slice(from));
}

function commonStart(texts) {
  let start = texts[0] ?? '';
  for (const text of texts) while (!text.startsWith(start)) start = start.slice(0, -1);
  return start;
}

// The choices in columns; an empty one ends a group.
function inColumns(choices, columns) {
  const widths = choices.map((choice) => width(choice));
  const cell = Math.max(...widths) + 2;
  let perRow = Math.floor(columns / cell) || 1;
  if (perRow === Infinity) perRow = 1;
  let text = '\r\n';
  let inRow = 0;
  let gap = 0;
  choices.forEach((choice, i) => {
    if (choice === '' || inRow === perRow) {
      text += '\r\n';
      inRow = 0;
      gap = 0;
    } else {
      text += ' '.repeat(gap);
    }
    if (choice === '') {
      text += '\r\n';
      return;
    }
    text += choice;
    gap = cell - widths[i];
    inRow++;
  });
  return inRow === 0 ? text : `${text}\r\n\r\n`;
}

const keysToEdits = {
  _tabCompleter(wasTab, [choices, typed]) {
    if (!choices || choices.length === 0) return;
    const start = commonStart(choices.filter((choice) => choice !== ''));
    if (start.startsWith(typed) && start.length > typed.length) {
      this._insertString(start.slice(typed.length));
      return;
    }
    if (!typed.startsWith(start)) {
      const head = this.line.slice(0, this.cursor - typed.length) + start;
      this.line = head + this.line.slice(this.cursor);
      this.cursor = head.length;
      this._refreshLine();
      return;
    }
    if (!wasTab) return;
    this._beforeEdit(this.line, this.cursor);
    this._writeToOutput(inColumns(choices, this.columns));
    this._refreshLine();
  },

  _tabComplete(wasTab) {
    this.pause();
    const typed = this.line.slice(0, this.cursor);
    const done = (error, result) => {
      this.resume();
      if (error) {
        const { inspect } = require('internal/inspect/inspect');
        this._writeToOutput(`Tab completion error: ${inspect(error)}`);
        return;
      }
      this._tabCompleter(wasTab, result);
    };
    this._callCompleter(typed, done);
  },

  // In readline, completers are called back or give a list; in readline/promises, a promise.
  _callCompleter(typed, done) {
    if (this.completer.length === 2) {
      this.completer(typed, done);
      return;
    }
    let result;
    try {
      result = this.completer(typed);
    } catch (error) {
      done(error);
      return;
    }
    done(null, result);
  },

  _searchHistory(key) {
    const isArrow = key.name === 'up' || key.name === 'down';
    if (isArrow && !key.ctrl && !key.meta && !key.shift) {
      this._substringSearch ??= this.line.slice(0, this.cursor);
    } else if (this._substringSearch !== null) {
      this._substringSearch = null;
      if (this.history.length === this.historyIndex) this.historyIndex = -1;
    }
  },

  _ttyWrite(text, key = {}) {
    const previous = this._previousKey;
    this._previousKey = key;
    if (!key.meta || key.name !== 'y') this._killRingCursor = 0; // no repeated Alt+Y
    this._searchHistory(key);
    if (key.sequence === '\u001f') {
      this._undo();
    } else if (key.sequence === '\u001e') {
      this._redo();
    } else if (key.name === 'escape') {
      return;
    } else if (key.ctrl && key.shift) {
      CONTROL_SHIFT[key.name]?.(this);
    } else if (key.ctrl) {
      if (Object.hasOwn(CONTROL, key.name)) CONTROL[key.name](this);
    } else if (key.meta) {
      if (Object.hasOwn(META, key.name)) META[key.name](this);
    } else {
      this._plainKey(text, key, previous);
    }
  },

  _plainKey(text, key, previous) {
    if (this._sawReturnAt && key.name !== 'enter') this._sawReturnAt = 0;
    if (Object.hasOwn(PLAIN, key.name)) {
      PLAIN[key.name](this);
    } else if (key.name === 'tab' && typeof this.completer === 'function' &&
               this.isCompletionEnabled) {
      this._tabComplete(Boolean(previous && previous.name === 'tab'));
    } else if (typeof text === 'string' && text) {
      insertText(this, text);
    }
  },
};

module.exports = { keysToEdits, commonStart };
