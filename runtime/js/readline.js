'use strict';
const EventEmitter = require('events');
const { AbortError, withCode, validateFunction } = require('internal/errors');

const CSI = '\u001b[';

function put(stream, text, callback) {
  if (typeof callback === 'function' && !stream) process.nextTick(callback, null);
  return stream ? stream.write(text, callback) : true;
}

function cursorTo(stream, x, y, callback) {
  if (typeof y === 'function') {
    callback = y;
    y = undefined;
  }
  return put(stream, y === undefined ? `${CSI}${x + 1}G` : `${CSI}${y + 1};${x + 1}H`, callback);
}

function moveCursor(stream, dx, dy, callback) {
  let text = '';
  if (dx < 0) text += `${CSI}${-dx}D`;
  else if (dx > 0) text += `${CSI}${dx}C`;
  if (dy < 0) text += `${CSI}${-dy}A`;
  else if (dy > 0) text += `${CSI}${dy}B`;
  return put(stream, text, callback);
}

function clearLine(stream, direction, callback) {
  return put(stream, `${CSI}${direction < 0 ? 1 : direction > 0 ? 0 : 2}K`, callback);
}

function clearScreenDown(stream, callback) {
  return put(stream, `${CSI}0J`, callback);
}

class Interface extends EventEmitter {
  #rest = '';
  #decoder;
  #question = null;
  #sawReturn = false;
  #onData;
  #onEnd;

  constructor(input, output, completer, terminal) {
    super();
    const options = input && input.input ? input : { input, output, completer, terminal };
    this.input = options.input;
    this.output = options.output;
    this.terminal = Boolean(options.terminal ?? (options.output && options.output.isTTY));
    this.line = '';
    this.cursor = 0;
    this.closed = false;
    this.paused = false;
    this.history = options.history ? [...options.history] : [];
    this.historySize = options.historySize ?? 30;
    this.completer = options.completer;
    this._prompt = options.prompt ?? '> ';
    const { StringDecoder } = require('string_decoder');
    this.#decoder = new StringDecoder('utf8');
    if (options.signal) {
      const stop = () => this.close();
      if (options.signal.aborted) process.nextTick(stop);
      else options.signal.addEventListener('abort', stop, { once: true });
    }
    this.#onEnd = () => {
      const last = this.#rest + this.#decoder.end();
      this.#rest = '';
      if (this._editor) this._editor.stop();
      if (last.length > 0) this.#line(last);
      this.close();
    };
    if (this.terminal) {
      const { Editor } = require('internal/line_editor');
      this._editor = new Editor(this);
      this._editor.start();
    } else {
      this.#onData = (chunk) => this.#take(typeof chunk === 'string' ? chunk
        : this.#decoder.write(chunk));
      this.input.on('data', this.#onData);
    }
    this.input.on('error', (error) => this.emit('error', error));
    this.input.on('end', this.#onEnd);
    this.input.resume();
  }

  #take(text) {
    if (this.#sawReturn && text[0] === '\n') text = text.slice(1);
    this.#sawReturn = text.endsWith('\r');
    const lines = (this.#rest + text).split(/\r\n|\n|\r/);
    this.#rest = lines.pop();
    for (const line of lines) this.#line(line);
  }

  #line(text) {
    if (this.#question) {
      const answer = this.#question;
      this.#question = null;
      this._prompt = this._oldPrompt ?? this._prompt;
      answer(text);
    } else {
      this.emit('line', text);
    }
  }

  _enter(text) { this.#line(text); }

  get terminalWidth() { return this.output?.columns || Infinity; }

  setPrompt(prompt) { this._prompt = `${prompt}`; }

  getPrompt() { return this._prompt; }

  prompt(preserveCursor) {
    if (this.paused) this.resume();
    if (this._editor) this._editor.refresh(preserveCursor);
    else if (this.output) this.output.write(this._prompt);
  }

  question(query, options, callback) {
    if (typeof options === 'function') {
      callback = options;
      options = {};
    }
    validateFunction(callback, 'cb');
    if (this.closed) throw withCode(Error, 'ERR_USE_AFTER_CLOSE', 'readline was closed');
    if (options && options.signal) {
      if (options.signal.aborted) return;
      options.signal.addEventListener('abort', () => { this.#question = null; }, { once: true });
    }
    if (this.#question) {
      this.prompt();
      return;
    }
    this._oldPrompt = this._prompt;
    this.setPrompt(query);
    this.#question = callback;
    this.prompt();
  }

  write(data, key) {
    if (this.paused) this.resume();
    if (this._editor) this._editor.feed(data, key);
    else if (data !== null && data !== undefined) this.#take(`${data}`);
  }

  pause() {
    if (this.paused) return this;
    this.input.pause();
    this.paused = true;
    this.emit('pause');
    return this;
  }

  resume() {
    if (!this.paused) return this;
    this.input.resume();
    this.paused = false;
    this.emit('resume');
    return this;
  }

  close() {
    if (this.closed) return;
    this.pause();
    if (this._editor) this._editor.stop();
    if (this.#onData) this.input.removeListener('data', this.#onData);
    this.input.removeListener('end', this.#onEnd);
    this.closed = true;
    this.emit('close');
  }

  getCursorPos() {
    return this._editor ? this._editor.cursorPlace()
      : { rows: 0, cols: this._prompt.length + this.cursor };
  }

  [Symbol.asyncIterator]() {
    return mapLines(EventEmitter.on(this, 'line', { close: ['close'] }), this);
  }
}

async function* mapLines(events, reader) {
  try {
    for await (const [line] of events) yield line;
  } finally {
    reader.close();
  }
}

function createInterface(...args) {
  return new Interface(...args);
}

const { promisify } = require('util');
Interface.prototype.question[promisify.custom] = function question(query, options) {
  return new Promise((resolve, reject) => {
    if (options && options.signal && options.signal.aborted) {
      reject(new AbortError(undefined, { cause: options.signal.reason }));
      return;
    }
    this.question(query, options ?? {}, resolve);
  });
};

function emitKeypressEvents(stream) {
  require('internal/keys').emitKeys(stream);
}

module.exports = {
  Interface, createInterface, cursorTo, moveCursor, clearLine, clearScreenDown,
  emitKeypressEvents,
};
Object.defineProperty(module.exports, 'promises', {
  enumerable: true, get: () => require('readline/promises'),
});
