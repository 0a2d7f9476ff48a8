'use strict';
// Lines from a stream: what the interfaces of readline and readline/promises share.

const EventEmitter = require('events');
const { StringDecoder } = require('string_decoder');
const { invalidArgType, invalidArgValue, withCode } = require('internal/errors/errors');
const { validateAbortSignal, validateArray, validateNumber, validateString, validateUint32 } =
  require('internal/errors/validators');
const { editing } = require('internal/readline/editing');
const { keysToEdits } = require('internal/readline/tty');
const { emitKeypressEvents } = require('internal/readline/keys');

const HISTORY_SIZE = 30;
const LEAST_CRLF_DELAY = 100; // ms between \r and \n that belong together
const LINE_END = /\r\n|\n|\r(?!\n)/g;

function afterClose() {
  return withCode(Error, 'ERR_USE_AFTER_CLOSE', 'readline was closed');
}

function optionsOf(first, output, completer, terminal) {
  if (!first?.input) return { input: first, output, completer, terminal };
  if (first.escapeCodeTimeout !== undefined && !Number.isFinite(first.escapeCodeTimeout)) {
    throw invalidArgValue('input.escapeCodeTimeout', first.escapeCodeTimeout);
  }
  if (first.tabSize !== undefined) validateUint32(first.tabSize, 'tabSize', true);
  validateAbortSignal(first.signal, 'options.signal');
  return first;
}

class Interface extends EventEmitter {
  constructor(...args) {
    super();
    this._start(...args);
  }

  _start(first, output, completer, terminal) {
    const options = optionsOf(first, output, completer, terminal);
    this._sawReturnAt = 0;
    this.isCompletionEnabled = true;
    this._sawKeyPress = false;
    this._previousKey = null;
    this.escapeCodeTimeout = options.escapeCodeTimeout ?? 500;
    this.tabSize = options.tabSize ?? 8;
    this._takeOptions(options);
    this.line = '';
    this.cursor = 0;
    this.historyIndex = -1;
    this.prevRows = 0;
    this._substringSearch = null;
    this._questionCallback = null;
    this._undoStack = [];
    this._redoStack = [];
    this._killRing = [];
    this._killRingCursor = 0;
    this.closed = false;
    this.paused = false;
    this.terminal = options.terminal === undefined ? Boolean(this.output?.isTTY)
      : Boolean(options.terminal);
    if (typeof this.input?.on !== 'function') {
      throw invalidArgType('options.input', 'Stream', this.input);
    }
    if (this.terminal) this._listenToKeys();
    else this._listenToText();
    this._watch(options.signal);
    this.input.resume();
  }

  _takeOptions({ input, output, completer, history, historySize = HISTORY_SIZE, prompt = '> ',
    removeHistoryDuplicates, crlfDelay }) {
    if (completer !== undefined && typeof completer !== 'function') {
      throw invalidArgValue('completer', completer);
    }
    if (history !== undefined) validateArray(history, 'history');
    validateNumber(historySize, 'historySize', 0);
    this.input = input;
    this.output = output;
    this.history = history ?? [];
    this.historySize = historySize;
    this.removeHistoryDuplicates = Boolean(removeHistoryDuplicates);
    this.crlfDelay = crlfDelay ? Math.max(LEAST_CRLF_DELAY, crlfDelay) : LEAST_CRLF_DELAY;
    this.completer = completer;
    this.setPrompt(prompt);
  }

  _listenToText() {
    this._decoder = new StringDecoder('utf8');
    const onData = (data) => this._normalWrite(data);
    const onEnd = () => {
      if (typeof this._lineBuffer === 'string' && this._lineBuffer.length > 0) {
        this.emit('line', this._lineBuffer);
      }
      this.close();
    };
    this._hear(this.input, { error: (error) => this.emit('error', error), data: onData,
      end: onEnd });
  }

  _listenToKeys() {
    emitKeypressEvents(this.input, this);
    const onKey = (text, key) => {
      this._ttyWrite(text, key);
      if (!key?.sequence) return;
      // Half of a pair that the terminal sent in two pieces is shown with the other half.
      const half = key.sequence.codePointAt(0);
      if (half >= 0xd800 && half <= 0xdfff) this._refreshLine();
    };
    const onEnd = () => {
      if (typeof this.line === 'string' && this.line.length > 0) this.emit('line', this.line);
      this.close();
    };
    this._hear(this.input, { error: (error) => this.emit('error', error), keypress: onKey,
      end: onEnd });
    this._setRawMode(true);
    if (this.output && typeof this.output.on === 'function') {
      this._hear(this.output, { resize: () => this._refreshLine() });
    }
  }

  _hear(stream, listeners) {
    for (const [event, listener] of Object.entries(listeners)) {
      stream.on(event, listener);
      this.once('close', () => stream.removeListener(event, listener));
    }
  }

  _watch(signal) {
    if (!signal) return;
    const onAbort = () => this.close();
    if (signal.aborted) {
      process.nextTick(onAbort);
    } else {
      signal.addEventListener('abort', onAbort, { once: true });
      this.once('close', () => signal.removeEventListener('abort', onAbort));
    }
  }

  get columns() { return this.output?.columns || Infinity; }

  setPrompt(prompt) { this._prompt = prompt; }

  getPrompt() { return this._prompt; }

  _setRawMode(mode) {
    const was = this.input.isRaw;
    if (typeof this.input.setRawMode === 'function') this.input.setRawMode(mode);
    return was;
  }

  prompt(preserveCursor) {
    if (this.paused) this.resume();
    const isDumb = !this.terminal || process.env.TERM === 'dumb';
    if (isDumb) {
      this._writeToOutput(this._prompt);
      return;
    }
    this.cursor = preserveCursor ? this.cursor : 0;
    this._refreshLine();
  }

  _ask(query, callback) {
    if (this.closed) throw afterClose();
    if (this._questionCallback) {
      this.prompt();
      return;
    }
    this._oldPrompt = this._prompt;
    this.setPrompt(query);
    this._questionCallback = callback;
    this.prompt();
  }

  _cancelQuestion() {
    this._questionCallback = null;
    this.setPrompt(this._oldPrompt);
    this.clearLine();
  }

  _onLine(line) {
    const answer = this._questionCallback;
    if (!answer) {
      this.emit('line', line);
      return;
    }
    this._questionCallback = null;
    this.setPrompt(this._oldPrompt);
    answer(line);
  }

  _writeToOutput(text) {
    validateString(text, 'stringToWrite');
    if (this.output !== null && this.output !== undefined) this.output.write(text);
  }

  close() {
    if (this.closed) return;
    this.pause();
    if (this.terminal) this._setRawMode(false);
    this.closed = true;
    this.emit('close');
  }

  pause() {
    if (this.paused) return;
    this.input.pause();
    this.paused = true;
    this.emit('pause');
    return this;
  }

  resume() {
    if (!this.paused) return;
    this.input.resume();
    this.paused = false;
    this.emit('resume');
    return this;
  }

  write(data, key) {
    if (this.paused) this.resume();
    if (this.terminal) this._ttyWrite(data, key);
    else this._normalWrite(data);
  }

  _normalWrite(data) {
    if (data === undefined) return;
    let text = this._decoder.write(data);
    if (this._sawReturnAt && Date.now() - this._sawReturnAt <= this.crlfDelay) {
      if (text.charCodeAt(0) === 10) text = text.slice(1);
      this._sawReturnAt = 0;
    }
    LINE_END.lastIndex = 0;
    let end = LINE_END.exec(text);
    if (end === null) {
      if (text) this._lineBuffer = (this._lineBuffer ?? '') + text;
      return;
    }
    if (this._lineBuffer) text = this._lineBuffer + text;
    this._lineBuffer = null;
    this._sawReturnAt = text.endsWith('\r') ? Date.now() : 0;
    const lines = [];
    let from = 0;
    LINE_END.lastIndex = 0;
    while ((end = LINE_END.exec(text)) !== null) {
      lines.push(text.slice(from, end.index));
      from = LINE_END.lastIndex;
    }
    this._lineBuffer = text.slice(from);
    for (const line of lines) this._onLine(line);
  }

  [Symbol.asyncIterator]() {
    const { on, FIRST_ARGUMENT } = require('internal/events/iterator');
    this._lines ??= on(this, 'line',
      { close: ['close'], highWaterMark: 1024, [FIRST_ARGUMENT]: true });
    return this._lines;
  }
}

for (const [name, method] of Object.entries({ ...editing, ...keysToEdits })) {
  Object.defineProperty(Interface.prototype, name,
    { value: method, writable: true, configurable: true, enumerable: false });
}

module.exports = { Interface, afterClose, LINE_END };
