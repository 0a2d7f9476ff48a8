'use strict';
// Servers that programs start: evaluation, errors, commands, completion, history, keys.
const repl = require('repl');
const { PassThrough } = require('stream');

function server(options) {
  const input = new PassThrough();
  const output = new PassThrough();
  const shown = [];
  output.on('data', (chunk) => shown.push(`${chunk}`));
  const made = repl.start({ input, output, prompt: '', terminal: false, ...options });
  return { made, input, text: () => shown.splice(0).join('') };
}

async function settle() {
  for (let i = 0; i < 5; i++) await new Promise(setImmediate);
}

async function evaluates() {
  const { made, input, text } = server({ useGlobal: true });
  const say = async (line) => {
    input.write(`${line}\n`);
    await settle();
    console.log(JSON.stringify(line), JSON.stringify(text()));
  };
  for (const line of ['1 + 1', '_ + 1', '{ a: 1 }', 'let q = await 5', 'q', '"a" +', '"b"', '.foo',
    '.break', 'npm install x', 'throw new Error("bad")', '_error.message', 'throw null',
    'let x y', '...[]', 'import a, { b as c } from "d"', '(function() { return 1; })()',
    '`a', 'b`', '_ = 3', '5', '_', '.help',
    'setImmediate(() => { throw new TypeError("late") }); 1',
  ]) await say(line);
  made.defineCommand('hello', { help: 'Greets', action(name) {
    this.output.write(`Hello ${name}\n`);
    this.displayPrompt();
  } });
  await say('.hello you');
  for (const text_ of ['Objec', 'process.versi', '.he', "require('fs/pro", 'zzz', '[].fla',
    'console?.lo']) {
    made.complete(text_, (error, result) => console.log(text_, error, JSON.stringify(result)));
  }
  made.on('exit', () => console.log('exit'));
  await say('.exit');
}

async function hasModes() {
  const { input, text } = server({ useGlobal: true, replMode: repl.REPL_MODE_STRICT,
    ignoreUndefined: true, writer: (value) => `<${value}>`, eval: undefined });
  for (const line of ['undeclared = 1', 'undefined', '7']) {
    input.write(`${line}\n`);
    await settle();
    console.log(JSON.stringify(text()));
  }
  const own = server({ eval(code, context, file, done) {
    done(code === '1\n' ? new repl.Recoverable(new SyntaxError('more')) : null, code);
  } });
  own.input.write('1\n2\n');
  await settle();
  console.log(JSON.stringify(own.text()));
}

async function reactsToKeys() {
  const { made, input, text } = server({ terminal: true, prompt: '> ', useGlobal: true });
  const type = async (keys) => {
    input.write(keys);
    await settle();
    console.log(JSON.stringify(text()), made.line, made.cursor);
  };
  for (const keys of ['one two', '\u0017', '\u001f', '\u0001', '\u000b', '\u0019', '\u001bb',
    '\u0005',
    '\u0015', '1\r', '22\r', '\u001b[A', '\u001b[A', '\u001b[B', '\u0003', '\u00122', '\r',
    '.editor\r', 'let e = 4;\re\r', '\u0004', '\u0003', '\u0003']) await type(keys);
  console.log(made.history);
}

evaluates().then(hasModes).then(reactsToKeys);
