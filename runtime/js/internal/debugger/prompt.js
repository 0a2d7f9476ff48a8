'use strict';
// `phasor inspect`: the debugger at the terminal.

const readline = require('readline');
const vm = require('vm');
const { inspect } = require('internal/inspect/inspect');
const { colorful } = require('internal/console/console');
const { DebugSession } = require('internal/debugger/session');
const { HELP, makeContext, execute, kRun } = require('internal/debugger/commands');
const { readArguments, USAGE } = require('internal/debugger/target');

const DEBUG = 'debug> ';
const REPL = '> ';

function write(text) { process.stdout.write(text); }

// The debugger's words around what a line gives.
class Prompt {
  #isBusy = true;
  #last = '';
  #isRepl = false;
  #queue = Promise.resolve();

  constructor(target) {
    this.session = new DebugSession(target, (text, isPlain) => this.print(text, isPlain));
    this.context = vm.createContext(makeContext(this.session, () => this.#enterRepl()));
  }

  get #words() { return this.#isRepl ? REPL : DEBUG; }

  // Between two commands the prompt stands on the line already; it comes again behind the text.
  print(text, isPlain = false) {
    write(this.#isBusy || isPlain ? text : `${text}${this.#words}`);
  }

  #enterRepl() {
    this.#isRepl = true;
    write('Press Ctrl+C to leave debug repl\n');
  }

  interrupt() {
    if (this.#isRepl) {
      this.#isRepl = false;
      write(`\n${DEBUG}`);
    } else {
      this.session.client.call('Debugger.pause').catch(() => {});
      write(`\n${DEBUG}`);
    }
  }

  async #run(line) {
    if (this.#isRepl) return execute(this.session, line);
    const plain = /^\s*(?:exec|p)\s+([^(=][^]*)$/.exec(line) ??
      /^\s*(?:exec|p)\s+(\([^]*)$/.exec(line);
    if (plain !== null) return execute(this.session, plain[1]);
    const value = vm.runInContext(line, this.context);
    return value?.[kRun] ? value() : value;
  }

  async #evaluate(line) {
    this.#isBusy = true;
    try {
      const value = await this.#run(line);
      if (value !== undefined) write(`${inspect(value, { colors: colorful(1) })}\n`);
      else if (!/^\s*(?:$|\w+\s*(?:$|\())/.test(line)) write('undefined\n');
    } catch (error) {
      write(`Uncaught ${inspect(error)}\n`);
    }
    this.#isBusy = false;
    write(this.#words);
  }

  onLine(line) {
    if (line.trim() === '.exit') {
      this.quit();
      return;
    }
    if (line.trim() === '.interrupt') {
      this.interrupt();
      return;
    }
    if (line.trim() === '') line = this.#last;
    else this.#last = line;
    this.#queue = this.#queue.then(() => (line === '' ? write(this.#words) : this.#evaluate(line)));
  }

  quit() {
    this.session.stop();
    process.exit(0);
  }

  async start() {
    try {
      await this.session.start();
    } catch (error) {
      process.stderr.write(`${inspect(error)}\n`);
      this.session.stop();
      process.exit(1);
    }
    this.#isBusy = false;
    write(DEBUG);
    const input = readline.createInterface({ input: process.stdin, terminal: false });
    input.on('line', (line) => this.onLine(line));
    input.on('close', () => this.#queue.then(() => this.quit()));
    process.on('SIGINT', () => this.interrupt());
  }
}

function start(args) {
  if (args.length === 0) {
    process.stderr.write(USAGE);
    process.exit(9);
  }
  if (args[0] === '--help') {
    write(`${USAGE}
Debugs a script at the terminal: starts it, or goes to where a program listens (--inspect), and
stops before its first statement. At the prompt:

${HELP}`);
    return;
  }
  if (args[0] === '-p') {
    const pid = Number(args[1]);
    try {
      process.kill(pid, 'SIGUSR1');
      new Prompt({ host: '127.0.0.1', port: 9229, isRemote: true }).start();
      return;
    } catch (error) {
      process.stderr.write(error.code === 'ESRCH' ? `Target process: ${pid} doesn't exist.\n`
        : `${error.message}\n`);
    }
    process.exit(1);
  }
  new Prompt(readArguments(args)).start();
}

module.exports = { start };
