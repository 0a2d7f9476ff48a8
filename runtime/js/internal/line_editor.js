'use strict';
// Editing a line on a terminal: cursor keys, history, deletion, completion.

const { width } = require('internal/inspect_text');

const NAMES = {
  '[A': 'up', '[B': 'down', '[C': 'right', '[D': 'left', '[H': 'home', '[F': 'end', OH: 'home',
  OF: 'end', OA: 'up', OB: 'down', OC: 'right', OD: 'left', '[1~': 'home', '[4~': 'end',
  '[3~': 'delete', '[7~': 'home', '[8~': 'end', '[5~': 'pageup', '[6~': 'pagedown', '[Z': 'tab',
};
const CONTROLS = { '\r': 'return', '\n': 'enter', '\t': 'tab', '\b': 'backspace',
  '\u007f': 'backspace', ' ': 'space' };

function plainName(code) {
  if (code === '') return 'escape';
  return code.length === 1 ? code.toLowerCase() : undefined;
}

// Cuts what a terminal sends into keys: {sequence, name, ctrl, meta, shift}
function* keysOf(text) {
  for (let i = 0; i < text.length;) {
    const escape = /^\u001b(\[[0-9;]*[A-Za-z~]|O[A-Za-z]|.)?/su.exec(text.slice(i));
    if (escape) {
      i += escape[0].length;
      const modifier = /^\[1;(\d)([A-Z])$/.exec(escape[1] ?? '');
      const code = modifier ? `[${modifier[2]}` : escape[1] ?? '';
      const bits = modifier ? modifier[1] - 1 : 0;
      yield { sequence: escape[0], ctrl: Boolean(bits & 4), shift: Boolean(bits & 1),
        meta: Boolean(bits & 2) || (code.length === 1),
        name: NAMES[code] ?? plainName(code) };
      continue;
    }
    const character = String.fromCodePoint(text.codePointAt(i));
    i += character.length;
    const code = character.charCodeAt(0);
    if (CONTROLS[character]) {
      yield { sequence: character, name: CONTROLS[character], ctrl: false, meta: false,
        shift: false };
    } else if (code < 27) {
      yield { sequence: character, name: String.fromCharCode(code + 96), ctrl: true, meta: false,
        shift: false };
    } else {
      yield { sequence: character, name: character.toLowerCase(), ctrl: false, meta: false,
        shift: /^[A-Z]$/.test(character) };
    }
  }
}

function emitKeys(stream) {
  if (stream._emitsKeys) return;
  stream._emitsKeys = true;
  const { StringDecoder } = require('string_decoder');
  const decoder = new StringDecoder('utf8');
  stream.on('data', (chunk) => {
    const text = typeof chunk === 'string' ? chunk : decoder.write(chunk);
    for (const key of keysOf(text)) {
      stream.emit('keypress', key.sequence.length === 1 || !key.sequence.startsWith('\u001b')
        ? key.sequence : undefined, key);
    }
  });
}

class Editor {
  #reader;
  #listener;
  #position = -1; // in the history
  #draft = '';

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

  refresh() {
    const r = this.#reader;
    if (!r.output) return;
    r.output.write(`\r\u001b[0K${r._prompt}${r.line}`);
    const back = width(r.line.slice(r.cursor));
    if (back > 0) r.output.write(`\u001b[${back}D`);
  }

  #set(line, cursor = line.length) {
    this.#reader.line = line;
    this.#reader.cursor = cursor;
    this.refresh();
  }

  #history(step) {
    const r = this.#reader;
    const next = this.#position + step;
    if (next < -1 || next >= r.history.length) return;
    if (this.#position === -1) this.#draft = r.line;
    this.#position = next;
    this.#set(next === -1 ? this.#draft : r.history[next]);
  }

  #word(direction) {
    const { line, cursor } = this.#reader;
    if (direction < 0) return line.slice(0, cursor).search(/\S+\s*$/) === -1 ? 0
      : line.slice(0, cursor).search(/[^\s\w]*\w+\W*$|\S+\s*$/);
    const match = /^\W*\w*/.exec(line.slice(cursor));
    return cursor + match[0].length;
  }

  #enter() {
    const r = this.#reader;
    const { line } = r;
    if (r.output) r.output.write('\r\n');
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
      let common = choices.filter(Boolean)[0] ?? '';
      for (const one of choices.filter(Boolean)) {
        while (!one.startsWith(common)) common = common.slice(0, -1);
      }
      if (common.length > typed.length) this.#insert(common.slice(typed.length));
      else if (choices.length > 1) {
        r.output.write(`\r\n${choices.join('  ')}\r\n`);
        this.refresh();
      }
    };
    const before = r.line.slice(0, r.cursor);
    if (r.completer.length === 2) r.completer(before, done);
    else done(null, r.completer(before));
  }

  #insert(text) {
    const { line, cursor } = this.#reader;
    this.#set(line.slice(0, cursor) + text + line.slice(cursor), cursor + text.length);
  }

  #control(name) {
    const r = this.#reader;
    const { line, cursor } = r;
    switch (name) {
      case 'c':
        if (r.listenerCount('SIGINT') > 0) r.emit('SIGINT');
        else r.close();
        break;
      case 'd':
        if (line.length === 0) r.close();
        else this.#set(line.slice(0, cursor) + line.slice(cursor + 1), cursor);
        break;
      case 'a': this.#set(line, 0); break;
      case 'e': this.#set(line); break;
      case 'b': this.#set(line, Math.max(0, cursor - 1)); break;
      case 'f': this.#set(line, Math.min(line.length, cursor + 1)); break;
      case 'h': this.#erase(); break;
      case 'u': this.#set(line.slice(cursor), 0); break;
      case 'k': this.#set(line.slice(0, cursor), cursor); break;
      case 'l':
        r.output.write('\u001b[1;1H\u001b[0J');
        this.refresh();
        break;
      case 'n': this.#history(-1); break;
      case 'p': this.#history(1); break;
      case 'w': {
        const at = this.#word(-1);
        this.#set(line.slice(0, at) + line.slice(cursor), at);
        break;
      }
      case 'left': this.#set(line, this.#word(-1)); break;
      case 'right': this.#set(line, this.#word(1)); break;
      case 'z':
        process.kill(process.pid, 'SIGSTOP');
        this.refresh();
        break;
      default: break;
    }
  }

  #erase() {
    const { line, cursor } = this.#reader;
    if (cursor === 0) return;
    const last = [...line.slice(0, cursor)].pop().length;
    this.#set(line.slice(0, cursor - last) + line.slice(cursor), cursor - last);
  }

  key(text, key) {
    const { line, cursor } = this.#reader;
    if (key.ctrl) {
      this.#control(key.name);
      return;
    }
    if (key.meta && (key.name === 'b' || key.name === 'f')) {
      this.#set(line, this.#word(key.name === 'b' ? -1 : 1));
      return;
    }
    switch (key.name) {
      case 'return': case 'enter': this.#enter(); break;
      case 'backspace': this.#erase(); break;
      case 'delete': this.#set(line.slice(0, cursor) + line.slice(cursor + 1), cursor); break;
      case 'left': this.#set(line, Math.max(0, cursor - 1)); break;
      case 'right': this.#set(line, Math.min(line.length, cursor + 1)); break;
      case 'home': this.#set(line, 0); break;
      case 'end': this.#set(line); break;
      case 'up': this.#history(1); break;
      case 'down': this.#history(-1); break;
      case 'tab': this.#complete(); break;
      default:
        if (typeof text === 'string' && !text.startsWith('\u001b')) this.#insert(text);
    }
  }
}

module.exports = { Editor, emitKeys, keysOf };
