'use strict';
// Ctrl+R and Ctrl+S: a search through the history, backwards and forwards.

const screen = require('internal/readline/screen');

const LABELS = { r: 'bck-i-search: ', s: 'fwd-i-search: ' };

class Search {
  #server;
  #isOn = false;
  #direction = 'r';
  #text = '';
  #index = -1; // of the line of the history that is shown
  #at = -1; // where in it the text was found
  #seen = new Set(); // lines that were shown

  constructor(server) { this.#server = server; }

  // True if the key belongs to the search.
  key(text, key) {
    const isSearch = key.ctrl && !key.shift && (key.name === 'r' || key.name === 's');
    if (!this.#server.terminal || this.#server.history.length === 0) return false;
    if (isSearch) {
      this.#turn(key.name);
      return true;
    }
    if (!this.#isOn) return false;
    const isBackspace = key.name === 'backspace' || (key.ctrl && /^[hw]$/.test(key.name));
    if (isBackspace) {
      this.#text = [...this.#text].slice(0, -1).join('');
      this.#restart();
      this.#find();
    } else if (!key.ctrl && !key.meta && typeof text === 'string' && text >= ' ' &&
               !['return', 'enter', 'escape', 'up', 'down'].includes(key.name)) {
      this.#text += text;
      this.#seen.clear();
      this.#find();
    } else {
      return this.#leave(key);
    }
    this.#show();
    return true;
  }

  #turn(direction) {
    if (!this.#isOn) {
      this.#isOn = true;
      this.#direction = direction;
      this.#text = '';
      this.#restart();
      this.#print(null);
      return;
    }
    if (direction !== this.#direction) this.#seen.clear();
    this.#direction = direction;
    if (this.#text !== '') this.#next();
    this.#show();
  }

  #restart() {
    this.#index = this.#server.historyIndex;
    this.#at = -1;
    this.#seen.clear();
  }

  #line(index) { return this.#server.history[index]; }

  // From where it stands, the line that is shown among them.
  #find() {
    if (this.#text === '') {
      this.#at = -1;
      return;
    }
    this.#at = -1;
    this.#walk(Math.max(this.#index, this.#direction === 'r' ? 0 : -1));
  }

  // The next place in the same line, or in another line.
  #next() {
    const { history } = this.#server;
    const line = this.#line(this.#index);
    if (this.#at !== -1 && line !== undefined) {
      const at = this.#direction === 'r'
        ? (this.#at > 0 ? line.lastIndexOf(this.#text, this.#at - 1) : -1)
        : line.indexOf(this.#text, this.#at + 1);
      if (at !== -1) {
        this.#at = at;
        return;
      }
      this.#seen.add(line);
    }
    this.#at = -1;
    const step = this.#direction === 'r' ? 1 : -1;
    const from = Math.max(-1, Math.min(history.length, this.#index + step));
    this.#walk(from);
  }

  #walk(from) {
    const { history } = this.#server;
    const step = this.#direction === 'r' ? 1 : -1;
    let index = from;
    for (; index >= 0 && index < history.length; index += step) {
      const line = this.#line(index);
      const at = this.#direction === 'r' ? line.lastIndexOf(this.#text)
        : line.indexOf(this.#text);
      if (at !== -1 && !this.#seen.has(line)) {
        this.#index = index;
        this.#at = at;
        return;
      }
    }
    this.#index = index;
  }

  #show() {
    const line = this.#at === -1 ? this.#server.line : this.#line(this.#index);
    this.#clear();
    this.#print(line);
  }

  #clear() {
    const server = this.#server;
    screen.cursorTo(server.output, server._getDisplayPos(server.getPrompt()).cols);
    screen.clearScreenDown(server.output);
  }

  // Below the line, what is searched for; null: the line stands there already.
  #print(line) {
    const server = this.#server;
    const failed = this.#text !== '' && this.#at === -1 ? 'failed-' : '';
    const label = `\n${failed}${LABELS[this.#direction]}${this.#text}_`;
    const prompt = server.getPrompt();
    const whole = line ?? server.line;
    let shown = line ?? '';
    if (this.#at !== -1 && server.useColors) {
      const end = this.#at + this.#text.length;
      shown = `${shown.slice(0, this.#at)}\u001b[4m${shown.slice(this.#at, end)}\u001b[24m` +
        shown.slice(end);
    }
    server.output.write(shown + label);
    const cursor = this.#at === -1 ? server.cursor : this.#at;
    const place = server._getDisplayPos(prompt + whole.slice(0, cursor));
    const end = server._getDisplayPos(prompt + whole + label);
    screen.moveCursor(server.output, 0, place.rows - end.rows);
    if (whole !== '' || line !== null) screen.cursorTo(server.output, place.cols);
  }

  // Escape and Ctrl+C keep the line as it was; other keys take what was found.
  #leave(key) {
    const server = this.#server;
    const isCancelled = key.name === 'escape' || (key.ctrl && key.name === 'c');
    this.#isOn = false;
    if (!isCancelled && this.#at !== -1) {
      server.line = this.#line(this.#index);
      server.cursor = this.#at;
      server.historyIndex = this.#index;
    }
    this.#clear();
    server.output.write(server.line);
    if (server.cursor !== server.line.length) {
      screen.cursorTo(server.output, server.getCursorPos().cols);
    }
    return isCancelled;
  }
}

function searcher(server) {
  const search = new Search(server);
  return (text, key) => search.key(text, key);
}

module.exports = { searcher };
