'use strict';
// Keys, undo, cut text, completion, iteration with pauses, readline/promises.
const readline = require('readline');
const { Readline, createInterface } = require('readline/promises');
const { PassThrough, Readable } = require('stream');

function terminal(options) {
  const input = new PassThrough();
  const output = new PassThrough();
  output.columns = 20;
  let shown = '';
  output.on('data', (chunk) => { shown += chunk; });
  const reader = readline.createInterface({ input, output, terminal: true, prompt: '> ',
    ...options });
  return { reader, input, text: () => {
    const all = shown;
    shown = '';
    return JSON.stringify(all);
  } };
}

async function keys() {
  const { reader, input } = terminal();
  input.on('keypress', (text, key) => console.log(JSON.stringify(text), JSON.stringify(key)));
  for (const sent of ['aZ é', '\u001b[1;5C', '\u001bOP', '\u001b[[5~', '\u001b[200~',
    '\u001b\u001b[A', '\u001b[31m', '\u0001', '\u001bx', '\t', '\u007f']) input.write(sent);
  reader.close();
}

async function edits() {
  const { reader, input, text } = terminal({
    completer: (line) => [['apple', 'apricot', 'pear'].filter((one) => one.startsWith(line)),
    line],
  });
  reader.on('line', (line) => console.log('line', JSON.stringify(line)));
  reader.on('history', (history) => console.log('history', history));
  for (const sent of ['ap\t', '\t', '\t', 'pl\t', '\r', 'three short words',
    '\u0001', '\u001bd', '\u001b[C', '\u000b', '\u0019', '\u0019', '\u001by', '\u001f',
    '\u001f', '\u001e', '\u0015', '宽 字', '\u001b[D', '\u007f', '\r', '\u001b[A', '\u001b[A',
    '\u001b[B', '\u000c']) {
    input.write(sent);
    console.log(JSON.stringify(sent), text(), JSON.stringify(reader.line), reader.cursor,
      reader.getCursorPos());
  }
  reader.write(null, { ctrl: true, name: 'u' });
  reader.question('Name? ', (name) => console.log('name', name));
  input.write('Ann\r');
  reader.close();
  try {
    reader.question('again?', () => {});
  } catch (error) {
    console.log(error.code);
  }
}

async function iterates() {
  const lines = readline.createInterface({ input: Readable.from(['a\nb\r', '\nc\rd', '\ne']) });
  for await (const line of lines) console.log('got', line);
  const file = Readable.from(Array.from({ length: 30 }, (_, i) => `${i}\n`.repeat(100)));
  const many = readline.createInterface({ input: file });
  let count = 0;
  for await (const line of many) count += line.length;
  console.log('characters', count);
}

async function promises() {
  const input = new PassThrough();
  const reader = createInterface({ input, output: new PassThrough() });
  setImmediate(() => input.write('42\n'));
  console.log('answer', await reader.question('?'));
  const stop = new AbortController();
  const asked = reader.question('?', { signal: stop.signal });
  stop.abort();
  await asked.catch((error) => console.log(error.name, error.code));
  reader.close();
  const sink = new PassThrough();
  const screen = new Readline(sink);
  await screen.cursorTo(1, 2).moveCursor(-1, 3).clearLine(1).clearScreenDown().commit();
  console.log(JSON.stringify(`${sink.read()}`));
  for (const wrong of [() => new Readline({}), () => screen.cursorTo('1'),
    () => screen.clearLine(2), () => readline.cursorTo(sink, NaN), () => readline.cursorTo(sink,
    'a', 1),
    () => readline.createInterface({ input, completer: 1 }),
    () => readline.createInterface({ input, historySize: -1 }),
    () => readline.createInterface({ input, tabSize: 0 })]) {
    try {
      wrong();
    } catch (error) {
      console.log(error.code, error.message);
    }
  }
}

keys().then(edits).then(iterates).then(promises);
