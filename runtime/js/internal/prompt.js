'use strict';
// The prompt: reads, evaluates, prints, with history and input of several lines.

const fs = require('fs');
const path = require('path');
const native = binding('modules');
const readline = require('readline');
const { inspect } = require('internal/inspect');
const input = require('internal/prompt_input');

const INTERRUPTED = 'ERR_SCRIPT_EXECUTION_INTERRUPTED';
const HELP = {
  '.break': 'Sometimes you get stuck, this gets you out', '.clear': 'Alias for .break',
  '.editor': 'Enter editor mode', '.exit': 'Exit the REPL', '.help': 'Print this help message',
  '.load': 'Load JS from a file into the REPL session',
  '.save': 'Save all evaluated commands in this REPL session to a file',
};

function historyFile() {
  const named = process.env.NODE_REPL_HISTORY;
  if (named !== undefined) return named.trim();
  return process.env.HOME ? path.join(process.env.HOME, '.phasor_history') : '';
}

function readHistory(file) {
  try {
    return fs.readFileSync(file, 'utf8').split('\n').filter(Boolean);
  } catch {
    return [];
  }
}

// Written aside and put in place, so that a session that is killed leaves the old one.
function writeHistory(file, history) {
  const aside = `${file}.${process.pid}`;
  try {
    fs.writeFileSync(aside, `${history.join('\n')}\n`, { mode: 0o600 });
    fs.renameSync(aside, file);
  } catch {
    // A history that can't be kept is no reason to fail.
  }
}

class Prompt {
  #terminal = Boolean(process.stdin.isTTY && process.stdout.isTTY);
  #colors = Boolean(process.stdout.isTTY) && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
  #session = [];
  #buffered = '';
  #waiting = []; // lines that came while an evaluation waits for its promise
  #busy = null;
  #editing = false;
  #interrupted = false;
  #scripts = 0;
  #reader;

  start() {
    const file = this.#terminal ? historyFile() : '';
    this.#write(`Welcome to Phasor (${process.version}).\nType ".help" for more information.\n`);
    const main = require('internal/main');
    main.scriptModule('repl');
    delete globalThis.__filename;
    delete globalThis.__dirname;
    main.exposeBuiltins();
    this.#defineLast('_');
    this.#defineLast('_error');
    this.#reader = readline.createInterface({
      input: process.stdin, output: process.stdout, terminal: this.#terminal, prompt: '> ',
      historySize: 1000, history: file ? readHistory(file) : [], completer: input.complete,
    });
    this.#reader.on('line', (line) => this.#line(line));
    this.#reader.on('SIGINT', () => this.#interrupt());
    if (this.#terminal) process.on('SIGINT', () => this.#interrupt());
    this.#reader.on('close', () => this.#end());
    if (file) this.#reader.on('history', (history) => writeHistory(file, history));
    this.#reader._onEnd = () => this.#finishEditing();
    process.on('uncaughtException', (error) => {
      this.#fail(error);
      this.#next();
    });
    this.#next();
  }

  #write(text) { process.stdout.write(text); }

  // _ is the last value and _error the last error, until the program gives them another meaning.
  #last = { _: undefined, _error: undefined };

  #defineLast(name) {
    Object.defineProperty(globalThis, name, {
      configurable: true,
      get: () => this.#last[name],
      set: (value) => {
        Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
        this.#write(`Expression assignment to ${name} now disabled.\n`);
      },
    });
  }

  #show(value) {
    this.#last._ = value;
    this.#write(`${inspect(value, { colors: this.#colors, showProxy: true })}\n`);
  }

  #fail(error) {
    this.#last._error = error;
    this.#write(input.describe(error, this.#colors));
  }

  #next() {
    while (this.#busy === null) {
      if (this.#reader.closed && this.#waiting.length === 0) process.exit();
      this.#reader.setPrompt(this.#editing ? '' : this.#buffered === '' ? '> ' : '... ');
      if (this.#reader.closed) this.#write(this.#reader.getPrompt());
      else this.#reader.prompt();
      if (this.#waiting.length === 0) return;
      this.#take(this.#waiting.shift());
    }
  }

  // Ctrl+C stops a script that does not end: the terminal sends the signal while one runs.
  #evaluate(code, awaits) {
    const name = `REPL${++this.#scripts}`;
    const raw = this.#terminal && process.stdin.isRaw;
    if (raw) process.stdin.setRawMode(false);
    try {
      return native.runScript(code, name, awaits, false, true);
    } catch (error) {
      throw error?.code === INTERRUPTED ? input.interruption() : error;
    } finally {
      if (raw) process.stdin.setRawMode(true);
    }
  }

  #run(code) {
    let value;
    const awaits = input.hasAwait(code);
    this.#buffered = '';
    try {
      const wrapped = input.asExpression(code);
      try {
        value = this.#evaluate(wrapped, awaits);
      } catch (error) {
        if (!(error instanceof SyntaxError) || wrapped === code) throw error;
        value = this.#evaluate(code, awaits);
      }
    } catch (error) {
      if (input.isIncomplete(error, code)) this.#buffered = `${code}\n`;
      else this.#fail(input.withExcerpt(error, code));
      return;
    }
    this.#session.push(code);
    input.remember(code);
    if (!awaits) {
      this.#show(value);
      return;
    }
    this.#await(value);
  }

  #await(promise) {
    const token = this.#busy = {};
    const settle = (act) => (value) => {
      if (this.#busy !== token) return;
      this.#busy = null;
      act(value);
      this.#next();
    };
    promise.then(settle((result) => this.#show(result && 'value' in result ? result.value
      : result)), settle((error) => this.#fail(error)));
  }

  #command(line) {
    const [name, ...args] = line.trim().split(/\s+/);
    const file = args.join(' ');
    switch (name) {
      case '.exit': this.#reader.close(); return;
      case '.break': case '.clear': this.#buffered = ''; break;
      case '.help': this.#help(); break;
      case '.editor':
        if (!this.#terminal) {
          this.#write('Invalid REPL keyword\n');
          break;
        }
        this.#editing = true;
        this.#write('// Entering editor mode (Ctrl+D to finish, Ctrl+C to cancel)\n');
        break;
      case '.load': this.#load(file); break;
      case '.save':
        try {
          fs.writeFileSync(file, `${this.#session.join('\n')}\n`);
          this.#write(`Session saved to: ${file}\n`);
        } catch {
          this.#write(`Failed to save: ${file}\n`);
        }
        break;
      default: this.#write('Invalid REPL keyword\n');
    }
  }

  #help() {
    const names = Object.keys(HELP).filter((name) => this.#terminal || name !== '.editor');
    const width = Math.max(...names.map((name) => name.length)) + 3;
    for (const name of names) this.#write(`${name.padEnd(width)}${HELP[name]}\n`);
    this.#write('\nPress Ctrl+C to abort current expression, Ctrl+D to exit the REPL\n');
  }

  #load(file) {
    let text;
    try {
      text = fs.readFileSync(file, 'utf8');
    } catch {
      this.#write(`Failed to load: ${file}\n`);
      return;
    }
    this.#run(text);
  }

  #take(line) {
    if (this.#editing) this.#buffered += `${line}\n`;
    else if (/^\s*\.[a-z]+(\s|$)/.test(line) && !/^\s*\.\d/.test(line)) this.#command(line);
    else if (this.#buffered !== '' || line.trim() !== '') this.#run(this.#buffered + line);
  }

  #line(line) {
    this.#interrupted = false;
    if (this.#busy === null) this.#take(line);
    else this.#waiting.push(line);
    this.#next();
  }

  #finishEditing() {
    if (!this.#editing) return false;
    this.#editing = false;
    this.#write('\n');
    const code = this.#buffered;
    this.#buffered = '';
    if (code.trim() !== '') this.#run(code);
    this.#next();
    return true;
  }

  #interrupt() {
    const reader = this.#reader;
    const fresh = this.#buffered === '' && reader.line === '' && !this.#editing;
    reader.line = '';
    reader.cursor = 0;
    this.#write('\n');
    if (this.#busy !== null) {
      this.#busy = null;
      this.#waiting = [];
      this.#fail(input.interruption());
    } else if (!fresh) {
      this.#interrupted = false;
    } else if (this.#interrupted) {
      reader.close();
      return;
    } else {
      this.#interrupted = true;
      this.#write('(To exit, press Ctrl+C again or Ctrl+D or type .exit)\n');
    }
    this.#buffered = '';
    this.#editing = false;
    this.#next();
  }

  #end() {
    if (this.#terminal) this.#write('\n');
    if (this.#busy === null || this.#terminal) process.exit();
  }
}

module.exports = { start: () => new Prompt().start() };
