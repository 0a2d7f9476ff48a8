'use strict';
// The prompt: reads, evaluates, prints, with history and input of several lines.

const fs = require('fs');
const path = require('path');
const native = binding('modules');
const readline = require('readline');
const { inspect } = require('internal/inspect');

const COMMANDS = {
  '.help': 'Print this help message', '.exit': 'Exit the prompt',
  '.break': 'Forget the input so far', '.clear': 'Forget the input so far',
  '.load': 'Load a file: .load FILE', '.save': 'Save the input of this session: .save FILE',
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

// Input that ends too early is not wrong: more lines may follow.
function isIncomplete(error, code) {
  if (!(error instanceof SyntaxError)) return false;
  if (/end of (input|file|string|template|comment)|unexpected end|\(end of file\)/i
    .test(error.message)) return true;
  let depth = 0;
  for (const c of code.replace(/'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|\/\/.*/g, '')) {
    if ('([{'.includes(c)) depth++;
    else if (')]}'.includes(c)) depth--;
  }
  return depth > 0 || (code.match(/(?<!\\)`/g) ?? []).length % 2 === 1;
}

// Names declared at the prompt stay, and may be declared again.
function prepare(code) {
  const text = /^\s*\{[^]*\}\s*$/.test(code) && !/;\s*$/.test(code) ? `(${code})` : code;
  return { text, awaits: /\bawait\b/.test(code) };
}

function start() {
  const colors = Boolean(process.stdout.isTTY) && !process.env.NO_COLOR;
  const terminal = Boolean(process.stdin.isTTY && process.stdout.isTTY);
  const file = historyFile();
  const session = [];
  let buffered = '';
  if (terminal) {
    process.stdout.write(
      `Welcome to Phasor (${process.version}).\nType ".help" for more information.\n`
    );
  }
  require('internal/main').scriptModule('repl');
  require('internal/main').exposeBuiltins();
  const reader = readline.createInterface({
    input: process.stdin, output: process.stdout, terminal, prompt: '> ', historySize: 1000,
    history: terminal && file ? readHistory(file) : [], completer: complete,
  });
  let interrupted = false;

  function show(value) {
    if (value !== undefined) globalThis._ = value;
    process.stdout.write(`${inspect(value, { colors, showProxy: true })}\n`);
  }
  function fail(error) {
    globalThis._error = error;
    const text =
      error instanceof Error ? inspect(error, { colors }) : `${inspect(error, { colors })}`;
    process.stdout.write(`Uncaught ${text.replace(/\n {4}at [^]*?(?=\n \{|$)/, '')}\n`);
  }
  function next() {
    reader.setPrompt(buffered === '' ? '> ' : '... ');
    reader.prompt();
  }
  function run(code) {
    const { text, awaits } = prepare(code);
    let value;
    try {
      try {
        value = native.runScript(text, 'REPL', awaits);
      } catch (error) {
        if (!(error instanceof SyntaxError) || text === code) throw error;
        value = native.runScript(code, 'REPL', awaits);
      }
    } catch (error) {
      if (isIncomplete(error, code)) {
        buffered = `${code}\n`;
        return;
      }
      buffered = '';
      fail(error);
      return;
    }
    buffered = '';
    session.push(code);
    if (!awaits) {
      show(value);
      return;
    }
    value.then((result) => show(result && 'value' in result ? result.value : result), fail)
      .finally(next);
  }
  function command(line) {
    const [name, ...args] = line.trim().split(/\s+/);
    switch (name) {
      case '.exit': reader.close(); return;
      case '.break': case '.clear': buffered = ''; break;
      case '.help':
        for (const [key, text] of Object.entries(COMMANDS)) {
          process.stdout.write(`${key.padEnd(8)} ${text}\n`);
        }
        break;
      case '.load':
        try {
          for (const one of [fs.readFileSync(args[0], 'utf8')]) run(one);
        } catch (error) {
          process.stdout.write(`Failed to load: ${args[0]}\n`);
        }
        break;
      case '.save':
        try {
          fs.writeFileSync(args[0], `${session.join('\n')}\n`);
          process.stdout.write(`Session saved to: ${args[0]}\n`);
        } catch {
          process.stdout.write(`Failed to save: ${args[0]}\n`);
        }
        break;
      default: process.stdout.write('Invalid REPL keyword\n');
    }
    next();
  }
  reader.on('line', (line) => {
    interrupted = false;
    if (buffered === '' && /^\s*\.[a-z]+(\s|$)/.test(line)) {
      command(line);
      return;
    }
    if (buffered === '' && line.trim() === '') {
      next();
      return;
    }
    run(buffered + line);
    next();
  });
  reader.on('SIGINT', () => {
    if (buffered !== '' || reader.line !== '') {
      buffered = '';
      reader.line = '';
      reader.cursor = 0;
      process.stdout.write('\n');
      next();
    } else if (interrupted) {
      reader.close();
    } else {
      interrupted = true;
      process.stdout.write('\n(To exit, press Ctrl+C again or Ctrl+D or type .exit)\n');
      next();
    }
  });
  reader.on('close', () => {
    if (terminal) process.stdout.write('\n');
    if (terminal && file) {
      try {
        fs.writeFileSync(file, reader.history.join('\n'), { mode: 0o600 });
      } catch {
        // A history that can't be kept is no reason to fail.
      }
    }
    process.exit();
  });
  process.on('uncaughtException', (error) => {
    fail(error);
    next();
  });
  next();
}

function complete(line) {
  const match = /(?:([\w$.]+)\.)?([\w$]*)$/.exec(line);
  let target = globalThis;
  try {
    if (match[1]) target = native.runScript(match[1], 'REPL');
  } catch {
    return [[], line];
  }
  const names = new Set();
  for (let at = Object(target); at !== null; at = Object.getPrototypeOf(at)) {
    for (const name of Object.getOwnPropertyNames(at)) {
      if (/^[A-Za-z_$][\w$]*$/.test(name) && name.startsWith(match[2])) names.add(name);
    }
  }
  const head = match[1] ? `${match[1]}.` : '';
  return [[...names].sort().map((name) => head + name), head + match[2]];
}

module.exports = { start };
