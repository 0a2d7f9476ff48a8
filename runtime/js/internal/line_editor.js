'use strict';
// Editing a line on a terminal: cursor keys, history, deletion, completion.

const { width } = require('internal/inspect_text');
const { emitKeys, keysOf } = require('internal/keys');

// The place after some text on a terminal of so many columns.
function placeAfter(text, columns) {
  let rows = 0;
  let cols = 0;
  for (const character of text) {
    if (character === '\n') {
      rows += 1;
      cols = 0;
      continue;
    }
    const wide = width(character);
    if (cols + wide > columns) {
      rows += 1;
      cols = 0;
    }
    cols += wide;
    if (cols === columns) {
      rows += 1;
      cols = 0;
    }
  }
  return { rows, cols };
}

class Editor {
  #reader;
  #listener;
  #position = -1; // in the history
  #draft = '';
  #killed = '';
  #cursorRow = 0; // below the row of the prompt
  #search; // {query, from, line}: a search through the history is under way

  constructor(reader) {
    this.#reader = reader;
  }

  start() {
    const { input } = this.#reader;
    emitKeys(input);
    this.#listener = (text, key) => this.key(text, key);
    input.on('keypress', this.#listener);
    if (typeof input.setRawMode === 'function') input.setRawMode(true);
  }

  stop() {
    const { input } = this.#reader;
    if (!this.#listener) return;
    input.removeListener('keypress', this.#listener);
    this.#listener = undefined;
    if (typeof input.setRawMode === 'function') input.setRawMode(false);
  }

  feed(data, key) {
    if (key) this.key(data, key);
    else for (const one of keysOf(`${data}`)) this.key(one.sequence, one);
  }

  get #prompt() {
    return this.#search === undefined ? this.#reader._prompt
      : `(reverse-i-search)\`${this.#search.query}': `;
  }

  cursorPlace() {
    const r = this.#reader;
    return placeAfter(this.#prompt + r.line.slice(0, r.cursor), r.terminalWidth);
  }

  refresh() {
    const r = this.#reader;
    if (!r.output) return;
    const text = this.#prompt + r.line;
    const end = placeAfter(text, r.terminalWidth);
    const cursor = this.cursorPlace();
    let out = this.#cursorRow > 0 ? `\u001b[${this.#cursorRow}A` : '';
    out += `\u001b[1G\u001b[0J${text}`;
    // A full row: the terminal goes to the next one with the next character only.
    if (end.cols === 0 && end.rows > 0) out += ' ';
    out += `\u001b[${cursor.cols + 1}G`;
    if (end.rows > cursor.rows) out += `\u001b[${end.rows - cursor.rows}A`;
    this.#cursorRow = cursor.rows;
    r.output.write(out);
  }

  // Below the last row of the line, before something else is written.
  #leave() {
    const r = this.#reader;
    const end = placeAfter(this.#prompt + r.line, r.terminalWidth);
    const down = end.rows - this.#cursorRow;
    this.#cursorRow = 0;
    if (r.output) r.output.write(`${down > 0 ? `\u001b[${down}B` : ''}\r\n`);
  }

  // A new prompt starts on a row of its own.
  fresh() {
    this.#cursorRow = 0;
    this.refresh();
  }

  #set(line, cursor = line.length) {
    this.#reader.line = line;
    this.#reader.cursor = cursor;
    this.refresh();
  }

  #move(cursor) {
    this.#set(this.#reader.line, Math.max(0, Math.min(this.#reader.line.length, cursor)));
  }

  // Cuts the text between two places; what is cut can be put back with Ctrl+Y.
  #cut(from, to, keep = true) {
    const { line } = this.#reader;
    if (keep && to > from) this.#killed = line.slice(from, to);
    this.#set(line.slice(0, from) + line.slice(to), from);
  }

  // Up and down stop at lines that begin as the one typed so far.
  #history(step) {
    const r = this.#reader;
    if (this.#position === -1) this.#draft = r.line;
    let next = this.#position + step;
    while (next >= 0 && next < r.history.length &&
           (!r.history[next].startsWith(this.#draft) || r.history[next] === r.line)) next += step;
    if (next < -1 || next >= r.history.length) return;
    this.#position = next;
    this.#set(next === -1 ? this.#draft : r.history[next]);
  }

  #word(direction) {
    const { line, cursor } = this.#reader;
    if (direction < 0) {
      return cursor - /(?:[^\w\s]+|\w+|)\s*$/.exec(line.slice(0, cursor))[0].length;
    }
    return cursor + /^(?:[^\w\s]+|\w+|)\s*/.exec(line.slice(cursor))[0].length;
  }

  #characterBefore() {
    const { line, cursor } = this.#reader;
    return cursor === 0 ? 0 : cursor - [...line.slice(0, cursor)].pop().length;
  }

  #characterAfter() {
    const { line, cursor } = this.#reader;
    return cursor === line.length ? cursor : cursor + [...line.slice(cursor)][0].length;
  }

  #enter() {
    const r = this.#reader;
    const { line } = r;
    this.#leave();
    r.line = '';
    r.cursor = 0;
    this.#position = -1;
    if (line.trim() !== '' && r.historySize > 0 && r.history[0] !== line) {
      r.history.unshift(line);
      if (r.history.length > r.historySize) r.history.pop();
      r.emit('history', r.history);
    }
    r._enter(line);
  }

  #complete() {
    const r = this.#reader;
    if (typeof r.completer !== 'function') {
      this.#insert('\t');
      return;
    }
    const done = (error, result) => {
      if (error || !result || result[0].length === 0) return;
      const [choices, typed] = result;
      const known = choices.filter(Boolean);
      let common = known[0] ?? '';
      for (const one of known) {
        while (!one.startsWith(common)) common = common.slice(0, -1);
      }
      if (common.length > typed.length) this.#insert(common.slice(typed.length));
      else if (known.length > 1) this.#list(known);
    };
    const before = r.line.slice(0, r.cursor);
    if (r.completer.length === 2) r.completer(before, done);
    else done(null, r.completer(before));
  }

  #list(choices) {
    const r = this.#reader;
    const cell = Math.max(...choices.map((choice) => width(choice))) + 2;
    const perRow = Math.max(1, Math.min(choices.length, Math.floor(r.terminalWidth / cell)));
    let text = '';
    for (let i = 0; i < choices.length; i += perRow) {
      const row = choices.slice(i, i + perRow);
      text += `${row.map((choice) => choice + ' '.repeat(cell - width(choice))).join('')
        .trimEnd()}\r\n`;
    }
    this.#leave();
    r.output.write(text);
    this.refresh();
  }

  #insert(text) {
    const r = this.#reader;
    const { line, cursor } = r;
    r.line = line.slice(0, cursor) + text + line.slice(cursor);
    r.cursor = cursor + text.length;
    const place = this.cursorPlace();
    if (cursor < line.length || place.rows !== this.#cursorRow || /[^ -~]/.test(text)) {
      this.refresh();
    } else if (r.output) {
      r.output.write(text);
    }
  }

  #startSearch() {
    const r = this.#reader;
    this.#search = { query: '', from: 0, line: r.line };
    this.refresh();
  }

  #find(from) {
    const at = this.#reader.history.findIndex((line, i) =>
      i >= from && line.includes(this.#search.query));
    if (at === -1) {
      this.refresh();
      return;
    }
    this.#search.from = at;
    this.#position = at;
    const line = this.#reader.history[at];
    this.#set(line, line.indexOf(this.#search.query));
  }

  // True if the key belongs to the search; any other ends it and keeps what was found.
  #searchKey(text, key) {
    const search = this.#search;
    if (key.ctrl && key.name === 'r') {
      if (search.query !== '') this.#find(search.from + 1);
      return true;
    }
    if (key.name === 'backspace') {
      search.query = search.query.slice(0, -1);
      this.#find(0);
      return true;
    }
    if (!key.ctrl && !key.meta && typeof text === 'string' && text >= ' ') {
      search.query += text;
      this.#find(search.from);
      return true;
    }
    this.#search = undefined;
    const cancelled = key.ctrl && (key.name === 'g' || key.name === 'c');
    if (cancelled) this.#set(search.line);
    else this.refresh();
    return cancelled || key.name === 'escape';
  }

  #end() {
    const r = this.#reader;
    if (r.line.length > 0) this.#cut(r.cursor, this.#characterAfter(), false);
    else if (!r._onEnd?.()) r.close();
  }

  #control(key) {
    const r = this.#reader;
    const { line, cursor } = r;
    switch (key.name) {
      case 'c':
        this.#position = -1;
        if (r.listenerCount('SIGINT') > 0) {
          this.#cursorRow = 0;
          r.emit('SIGINT');
        } else {
          r.close();
        }
        break;
      case 'd': this.#end(); break;
      case 'a': this.#move(0); break;
      case 'e': this.#move(line.length); break;
      case 'b': this.#move(this.#characterBefore()); break;
      case 'f': this.#move(this.#characterAfter()); break;
      case 'h': this.#cut(this.#characterBefore(), cursor, false); break;
      case 'u': this.#cut(0, cursor); break;
      case 'k': this.#cut(cursor, line.length); break;
      case 'w': case 'backspace': this.#cut(this.#word(-1), cursor); break;
      case 'delete': this.#cut(cursor, this.#word(1)); break;
      case 'y': this.#insert(this.#killed); break;
      case 'l':
        r.output.write('\u001b[1;1H\u001b[0J');
        this.fresh();
        break;
      case 'n': this.#history(-1); break;
      case 'p': this.#history(1); break;
      case 'r': this.#startSearch(); break;
      case 'left': this.#move(this.#word(-1)); break;
      case 'right': this.#move(this.#word(1)); break;
      case 'z': this.#suspend(); break;
      default: break;
    }
  }

  // Back in the foreground, the line is shown again.
  #suspend() {
    const { input } = this.#reader;
    process.once('SIGCONT', () => {
      if (typeof input.setRawMode === 'function') input.setRawMode(true);
      this.fresh();
    });
    if (typeof input.setRawMode === 'function') input.setRawMode(false);
    process.kill(process.pid, 'SIGTSTP');
  }

  #meta(key) {
    const { cursor } = this.#reader;
    switch (key.name) {
      case 'b': case 'left': this.#move(this.#word(-1)); return true;
      case 'f': case 'right': this.#move(this.#word(1)); return true;
      case 'd': case 'delete': this.#cut(cursor, this.#word(1)); return true;
      case 'backspace': this.#cut(this.#word(-1), cursor); return true;
      default: return false;
    }
  }

  key(text, key) {
    if (this.#search !== undefined && this.#searchKey(text, key)) return;
    if (key.ctrl) {
      this.#control(key);
      return;
    }
    if (key.meta && this.#meta(key)) return;
    const { line, cursor } = this.#reader;
    switch (key.name) {
      case 'return': case 'enter': this.#enter(); break;
      case 'backspace': this.#cut(this.#characterBefore(), cursor, false); break;
      case 'delete': this.#cut(cursor, this.#characterAfter(), false); break;
      case 'left': this.#move(this.#characterBefore()); break;
      case 'right': this.#move(this.#characterAfter()); break;
      case 'home': this.#move(0); break;
      case 'end': this.#move(line.length); break;
      case 'up': this.#history(1); break;
      case 'down': this.#history(-1); break;
      case 'tab': this.#complete(); break;
      default:
        if (typeof text === 'string' && !text.startsWith('\u001b')) this.#insert(text);
    }
  }
}

module.exports = { Editor, emitKeys };
