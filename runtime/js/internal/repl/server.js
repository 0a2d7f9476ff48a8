'use strict';
// The prompt as an object: reads lines, evaluates, prints.

const { Interface } = require('readline');
const domain = require('domain');
const { inspect } = require('internal/inspect/inspect');
const { withCode } = require('internal/errors/errors');
const { validateFunction } = require('internal/errors/validators');
const evaluation = require('internal/repl/evaluate');
const { describe, tidyStack } = require('internal/repl/errors');
const { createContext } = require('internal/repl/context');
const { writer, writerWith } = require('internal/repl/writer');

const { Recoverable, SLOPPY, nextName } = evaluation;
const STANDALONE = Symbol('standalone'); // the prompt of the command itself
const NPM = 'npm should be run outside of the Node.js REPL, in your normal shell.\n' +
  '(Press Ctrl+D to exit.)\n';

const domains = new WeakSet(); // of prompts
let listens = false;

// Errors of a program at the prompt are the prompt's: it may not handle them itself.
function forbidListeners() {
  if (listens) return;
  listens = true;
  process.prependListener('newListener', (event, listener) => {
    if (event !== 'uncaughtException' || !process.domain || !domains.has(process.domain) ||
        listener.name === 'domainUncaughtExceptionClear') return;
    throw withCode(TypeError, 'ERR_INVALID_REPL_INPUT',
      'Listeners for `uncaughtException` cannot be used in the REPL');
  });
}

function optionsOf(prompt, stream, eval_, useGlobal, ignoreUndefined, replMode) {
  const options = prompt !== null && typeof prompt === 'object' ? { ...prompt }
    : { prompt, stream, eval: eval_, useGlobal, ignoreUndefined, replMode };
  if (!options.input && !options.output) {
    const { stream: both = process } = options;
    options.input = both.stdin ?? both;
    options.output = both.stdout ?? both;
  }
  options.terminal ??= options.output.isTTY;
  options.terminal = Boolean(options.terminal);
  options.useColors ??= options.terminal && shows(options.output);
  if (options.breakEvalOnSigint && options.eval) {
    throw withCode(TypeError, 'ERR_INVALID_REPL_EVAL_CONFIG',
      'Cannot specify both "breakEvalOnSigint" and "eval" for REPL');
  }
  return options;
}

// Does that stream show colours?
function shows(output) {
  const forced = process.env.FORCE_COLOR;
  if (forced !== undefined) return ['', '1', 'true', '2', '3'].includes(forced);
  return Boolean(output?.isTTY) &&
    (typeof output.getColorDepth === 'function' ? output.getColorDepth() > 2 : true);
}

function REPLServer(...args) {
  if (!(this instanceof REPLServer)) return new REPLServer(...args);
  const options = optionsOf(...args);
  this.allowBlockingCompletions = Boolean(options.allowBlockingCompletions);
  this.useColors = Boolean(options.useColors);
  this._domain = options.domain ?? domain.create();
  this.useGlobal = Boolean(options.useGlobal);
  this.ignoreUndefined = Boolean(options.ignoreUndefined);
  this.replMode = options.replMode ?? SLOPPY;
  this.underscoreAssigned = false;
  this.last = undefined;
  this.underscoreErrAssigned = false;
  this.lastError = undefined;
  this.breakEvalOnSigint = Boolean(options.breakEvalOnSigint);
  this.editorMode = false;
  hide(this, { _buffered: '', _isLoading: false, _isBusy: false, _waiting: [], _sawSIGINT: false,
    _sawCtrlD: false, _isStandalone: Boolean(options[STANDALONE]), _interrupts: new Set(),
    awaits: require('internal/boot/options').isOn('experimental-repl-await') !== false });
  this._watchErrors();
  const eval_ = options.eval ??
    ((code, context, name, done) => evaluation.defaultEval(this, code, context, name, done));
  this.eval = this._domain.bind(eval_);
  this.clearBufferedCommand();
  const completer = options.completer ?? ((text, done) => {
    const { complete } = require('internal/repl/complete');
    complete(this, text, this.editorMode ? this.completeOnEditorMode(done) : done);
  });
  Interface.call(this, { ...options, completer, prompt: options.prompt ?? '> ' });
  this._initialPrompt = this.getPrompt();
  this._setUp(options);
}
Object.setPrototypeOf(REPLServer.prototype, Interface.prototype);
Object.setPrototypeOf(REPLServer, Interface);

function hide(object, fields) {
  for (const [name, value] of Object.entries(fields)) {
    Object.defineProperty(object, name,
      { value, writable: true, configurable: true, enumerable: false });
  }
}

const inside = {
  _watchErrors() {
    domains.add(this._domain);
    if (!this._isStandalone) forbidListeners();
    this._domain.on('error', (error) => this._fail(error));
  },

  _setUp(options) {
    this.commands = { __proto__: null };
    this.resetContext();
    evaluation.prepare(this, this.context);
    require('internal/repl/commands').defineCommands(this);
    this.writer = options.writer ?? writer;
    if (this.writer === writer) {
      this.writer = writerWith(this.useColors);
      if (this._isStandalone) shareDefaults(this.writer);
    }
    hide(this, { _search: require('internal/repl/search').searcher(this) });
    this._ttyWrite = (text, key) => this._key(text, key ?? {});
    this.on('close', () => this._end());
    this.on('SIGINT', () => this._interrupt());
    this.on('line', (line) => this._take(line));
    this.on('SIGCONT', () => {
      if (this.editorMode) {
        this.output.write(`${this._initialPrompt}.editor\n`);
        this.output.write('// Entering editor mode (Ctrl+D to finish, Ctrl+C to cancel)\n');
        this.output.write(`${this._buffered}\n`);
        this.prompt(true);
      } else {
        this.displayPrompt(true);
      }
    });
    this.displayPrompt();
  },

  _fail(error) {
    if (binding('util').isError(error)) {
      if (error.domainThrown !== undefined) {
        delete error.domain;
        delete error.domainThrown;
      }
      tidyStack(error);
    }
    if (!this.underscoreErrAssigned) this.lastError = error;
    if (this._isStandalone && process.listenerCount('uncaughtException') > 0) {
      process.nextTick(() => {
        process.emit('uncaughtException', error);
        this.clearBufferedCommand();
        this.displayPrompt();
      });
      return;
    }
    const text = describe(error, this);
    this.output.write(text.endsWith('\n') ? text : `${text}\n`);
    this.clearBufferedCommand();
    this.displayPrompt();
  },

  _end() {
    if (this._isBusy) this._waiting.push({ end: true });
    else this.emit('exit');
  },

  _edit(isOn) {
    this.editorMode = isOn;
    Interface.prototype.setPrompt.call(this, isOn ? '' : this._initialPrompt);
  },

  _interrupt() {
    if (this._interrupts.size > 0) {
      for (const interrupt of [...this._interrupts]) interrupt();
      return;
    }
    const isEmpty = this.line.length === 0;
    this.clearLine();
    this._edit(false);
    if (this._buffered === '' && isEmpty) {
      if (this._sawSIGINT) {
        this.close();
        this._sawSIGINT = false;
        return;
      }
      this.output.write('(To exit, press Ctrl+C again or Ctrl+D or type .exit)\n');
      this._sawSIGINT = true;
    } else {
      this._sawSIGINT = false;
    }
    this.clearBufferedCommand();
    this.displayPrompt();
  },

  _take(line = '') {
    this._sawSIGINT = false;
    if (this.editorMode) {
      this._takeEdited(line);
      return;
    }
    const [, keyword, rest] = /^\s*\.(?!\.)(\S+)\s*(.*?)\s*$/.exec(line) ?? [];
    if (keyword !== undefined && Number.isNaN(parseFloat(line.trim()))) {
      const command = this.commands[keyword];
      if (command) {
        command.action.call(this, rest);
        return;
      }
      if (this._buffered === '') {
        this.output.write('Invalid REPL keyword\n');
        this._finish(line, null);
        return;
      }
    }
    const finish = (...args) => this._finish(line, ...args);
    this.eval(`${this._buffered}${line}\n`, this.context, nextName(), finish);
  },

  // A new line begins below the text of the one before it.
  _takeEdited(line) {
    this._buffered += `${line}\n`;
    const indent = this._sawKeyPress && !this._isLoading ? /^\s+/.exec(line) : null;
    if (indent) {
      this.write(indent[0]);
      this.line = indent[0];
      this.cursor = indent[0].length;
    }
    this.lines.push(line);
  },

  _finish(line, error, ...values) {
    this.lines.push(line);
    const isUnfinished = error instanceof Recoverable;
    if (error && this._buffered === '' && /^\s*npm /.test(line) && !isUnfinished) {
      this.output.write(NPM);
      this.displayPrompt();
      return;
    }
    if (isUnfinished && !this._sawCtrlD) {
      this._buffered += `${line}\n`;
      this.displayPrompt();
      return;
    }
    if (error) this._domain.emit('error', error.err ?? error);
    this.clearBufferedCommand();
    this._sawCtrlD = false;
    if (error) return; // the error has brought its prompt
    if (values.length === 1 && !(this.ignoreUndefined && values[0] === undefined)) {
      if (!this.underscoreAssigned) this.last = values[0];
      this.output.write(`${this.writer(values[0])}\n`);
    }
    this.displayPrompt();
  },

  // A script waits for a promise: keys wait for it, Ctrl+C stops waiting.
  await(promise, done) {
    this._isBusy = true;
    let stop;
    const interrupt = new Promise((resolve, reject) => {
      stop = () => reject(evaluation.interruption());
    });
    if (this.breakEvalOnSigint) this._interrupts.add(stop);
    const settle = (...args) => {
      this._interrupts.delete(stop);
      this._domain.run(() => process.nextTick(() => {
        done(...args);
        this._goOn();
      }));
    };
    Promise.race([promise, interrupt]).then(
      (result) => settle(null, result?.value), (error) => settle(error));
  },

  _goOn() {
    this._isBusy = false;
    const { isCompletionEnabled } = this;
    while (!this._isBusy && this._waiting.length > 0) {
      const one = this._waiting.shift();
      if (one.end) {
        this.emit('exit');
      } else {
        this.isCompletionEnabled = one.isCompletionEnabled;
        this._ttyWrite(one.text, one.key);
      }
    }
    this.isCompletionEnabled = isCompletionEnabled;
  },

  _key(text, key) {
    const breaks = this.breakEvalOnSigint && key.ctrl && key.name === 'c';
    if (this._isBusy && !breaks) {
      this._waiting.push({ text, key, isCompletionEnabled: this.isCompletionEnabled });
      return;
    }
    const write = Interface.prototype._ttyWrite;
    const isEditing = this.editorMode && this.terminal;
    if (!isEditing) {
      const ends = key.ctrl && key.name === 'd' && this.cursor === 0 && this.line.length === 0;
      if (ends) this.clearLine();
      if (!this._search(text, key)) write.call(this, text, key);
    } else if (key.ctrl && !key.shift && key.name === 'd') {
      this._edit(false);
      this._sawCtrlD = true;
      write.call(this, text, { name: 'return' });
    } else if (key.ctrl && !key.shift) {
      if (key.name !== 'n' && key.name !== 'p') write.call(this, text, key);
    } else if (key.name !== 'up' && key.name !== 'down') {
      if (key.name === 'tab') this._previousKey = null; // no list of choices between the lines
      write.call(this, text, key);
    }
  },

  _defineLast(name, field, flag) {
    Object.defineProperty(this.context, name, {
      configurable: true,
      get: () => this[field],
      set: (value) => {
        this[field] = value;
        if (this[flag]) return;
        this[flag] = true;
        this.output.write(`Expression assignment to ${name} now disabled.\n`);
      },
    });
  },
};

// util.inspect.replDefaults are the settings of the command's own prompt.
function shareDefaults(own) {
  Object.defineProperty(inspect, 'replDefaults', {
    configurable: true,
    enumerable: true,
    get: () => own.options,
    set(options) {
      require('internal/errors/validators').validateObject(options, 'options');
      Object.assign(own.options, options);
    },
  });
}

const methods = {
  setupHistory(file, done) {
    require('internal/repl/history').setUp(this, file, done);
  },

  clearBufferedCommand() { this._buffered = ''; },

  close() {
    if (this.terminal && this._flushing) {
      this._flushHistory(() => Interface.prototype.close.call(this));
      return;
    }
    process.nextTick(() => Interface.prototype.close.call(this));
  },

  createContext() { return createContext(this); },

  resetContext() {
    this.context = this.createContext();
    this.underscoreAssigned = false;
    this.underscoreErrAssigned = false;
    this.lines = [];
    this.lines.level = [];
    this._defineLast('_', 'last', 'underscoreAssigned');
    this._defineLast('_error', 'lastError', 'underscoreErrAssigned');
    this.emit('reset', this.context);
  },

  displayPrompt(preserveCursor) {
    const prompt = this._buffered === '' ? this._initialPrompt : '... ';
    Interface.prototype.setPrompt.call(this, prompt);
    this.prompt(preserveCursor);
  },

  setPrompt(prompt) {
    this._initialPrompt = prompt;
    Interface.prototype.setPrompt.call(this, prompt);
  },

  complete(...args) { Reflect.apply(this.completer, this, args); },

  completeOnEditorMode(done) {
    return (error, results) => {
      if (error) {
        done(error);
        return;
      }
      const [choices, typed = ''] = results;
      const { commonStart } = require('internal/readline/tty');
      const fitting = choices.filter((choice) => choice !== '' && choice.startsWith(typed));
      done(null, [typed === '' || fitting.length === 0 ? fitting
        : [commonStart(fitting)], typed]);
    };
  },

  defineCommand(keyword, command) {
    const { action } = typeof command === 'function' ? { action: command } : command;
    validateFunction(action, 'cmd.action');
    this.commands[keyword] = typeof command === 'function' ? { action } : command;
  },
};

for (const [name, method] of Object.entries({ ...methods, ...inside })) {
  Object.defineProperty(REPLServer.prototype, name,
    { value: method, writable: true, configurable: true, enumerable: name in methods });
}

const old = (name, real) => ({
  configurable: true,
  enumerable: true,
  get: require('util').deprecate(function() { return this[real]; },
    'repl.inputStream and repl.outputStream are deprecated. ' +
    'Use repl.input and repl.output instead', 'DEP0141'),
});
Object.defineProperty(REPLServer.prototype, 'inputStream', old('inputStream', 'input'));
Object.defineProperty(REPLServer.prototype, 'outputStream', old('outputStream', 'output'));

module.exports = { REPLServer, STANDALONE };
