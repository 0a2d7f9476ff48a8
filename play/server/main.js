'use strict';
// phasor play: the command line.

const fs = require('fs');
const path = require('path');
const { languageOf } = require('./program');
const { runWorld } = require('./world');
const { writePage } = require('./page');
const { serve } = require('./serve');

const FIRST = `setTimeout(() => console.log('timeout'), 0);
setImmediate(() => console.log('immediate'));
Promise.resolve().then(() => console.log('promise'));
process.nextTick(() => console.log('tick'));
console.log('script');
`;

class UsageError extends Error {}

function fail(text) {
  throw new UsageError(text);
}

function number(text, name, most) {
  const value = Number(text);
  if (!/^\d+$/.test(text ?? '') || value > most) {
    fail(`${name} wants a number from 0 to ${most}, not "${text ?? ''}"`);
  }
  return value;
}

// The options with a value, and how it is read.
const valued = {
  '--port': (options, text) => { options.port = number(text, '--port', 65535); },
  '--seed': (options, text) => { options.seed = number(text, '--seed', 2 ** 32 - 1); },
  '--save': (options, text) => { options.save = text ?? fail('--save wants the name of a file'); },
  '--language': (options, text) => {
    if (text !== 'en' && text !== 'zh') fail(`--language is en or zh, not "${text ?? ''}"`);
    options.words = text;
  },
};

function parse(words) {
  const options = { files: [], port: 0, seed: 1, open: true };
  for (let i = 0; i < words.length; i++) {
    const [name, value] = /^--\w+=/.test(words[i]) ? [words[i].slice(0, words[i].indexOf('=')),
      words[i].slice(words[i].indexOf('=') + 1)] : [words[i]];
    if (Object.hasOwn(valued, name)) valued[name](options, value ?? words[++i]);
    else if (name === '--no-open') options.open = false;
    else if (name === '--events') options.events = true;
    else if (name.startsWith('-')) fail(`unknown option ${words[i]} (phasor play --help)`);
    else options.files.push(name);
  }
  if (options.files.length > 1 && (options.save === undefined || options.events)) {
    fail('more than one program is named, and only --save takes several');
  }
  return options;
}

function readProgram(file) {
  if (file === undefined) return { source: FIRST, name: 'program.js', language: 'js' };
  const language = languageOf(file) ?? fail(`${file} is neither JavaScript nor C`);
  let source;
  try {
    source = fs.readFileSync(file, 'utf8');
  } catch (error) {
    fail(error.code === 'ENOENT' ? `${file} is not there` : `${file}: ${error.message}`);
  }
  return { source, name: path.basename(file), language, folder: path.dirname(path.resolve(file)) };
}

async function record(program, seed) {
  const recording = await runWorld({ ...program, seed });
  if (recording.error !== undefined) fail(recording.error);
  return { program, recording };
}

async function main() {
  const options = parse(process.argv.slice(2));
  const { files, seed, words } = options;
  const programs = (files.length > 0 ? files : [undefined]).map(readProgram);
  if (!options.events && options.save === undefined) {
    await serve({ ...options, program: programs[0] });
    return;
  }
  const recorded = [];
  for (const program of programs) recorded.push(await record(program, seed));
  if (options.events) process.stdout.write(recorded[0].recording.lines);
  if (options.save === undefined) return;
  try {
    fs.writeFileSync(options.save, writePage({ programs: recorded, seed, words }));
  } catch (error) {
    fail(`${options.save} can't be written: ${error.message}`);
  }
}

main().catch((error) => {
  process.stderr.write(`phasor play: ${error instanceof UsageError ? error.message
    : error.stack}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
});
