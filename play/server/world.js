'use strict';
// Runs a program in a simulated world and gives what happened, as the lines of `phasor play
// --merge` (play/events).

const fs = require('fs');
const os = require('os');
const { spawn } = require('child_process');
const { makeFolder, removeFolder, scriptCommand, environment } = require('./program');
const { buildProgram } = require('./build');

const REAL_SECONDS = 40; // the program itself ends before
const VIRTUAL_DAYS = 400;
const MOST_BYTES = 64 << 20;
const MOST_SAID = 2000; // characters of what a program printed, where that is all there is
const STOPPED = 125; // as runtime/engine/play.c and play/c/notes.c end a program

// Gives { status, signal, text } when the command has ended.
function run(command, { cwd, env, output }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command[0], command.slice(1), { cwd, env,
      stdio: ['ignore', output ?? 'pipe', output ?? 'pipe'] });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (part) => {
        if (text.length < MOST_BYTES) text += part;
      });
    }
    child.on('error', reject);
    child.on('close', (status, signal) => resolve({ status, signal, text }));
  });
}

async function commandOf(program, place) {
  if (program.language === 'js') return { command: scriptCommand(place) };
  return buildProgram(program, place);
}

// Runs the world; what it leaves is in the place's files.
async function turn(program, place, seed) {
  const { command, error } = await commandOf(program, place);
  if (error !== undefined) return { error };
  const output = fs.openSync(place.output, 'w');
  try {
    return await run([process.execPath, 'sim', '--seed', String(seed), '--limit',
      `${VIRTUAL_DAYS}d`, '--real-limit', `${REAL_SECONDS}s`, '-o', place.recording, '--',
      ...command],
    { cwd: place.home, env: environment(place, { PHASOR_PLAY: place.notes }), output });
  } finally {
    fs.closeSync(output);
  }
}

const STOPS = {
  output: 'it printed too much',
  events: 'it did more than a page can show',
  time: 'it did not end in time',
};

function textOf(file) {
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
}

// What the notes say was printed.
function printed(place) {
  let out = '';
  for (const line of textOf(place.notes).split('\n')) {
    const note = line.slice(line.indexOf(' ') + 1);
    if (note.startsWith('["out",')) out += JSON.parse(note)[2];
  }
  return out;
}

// Which limit it met; undefined: none.
function stopOf(place, { status }) {
  if (status !== STOPPED) return undefined;
  return /\["stop","(\w+)"\]\n?$/.exec(textOf(place.notes))?.[1] ?? 'time';
}

function problemOf(place, ended) {
  const stop = stopOf(place, ended);
  if (stop !== undefined) return `the program was stopped: ${STOPS[stop]}`;
  const said = (textOf(place.output) + printed(place)).trim().slice(0, MOST_SAID);
  const end = crashOf(ended) ?? `the program has ended, with status ${ended.status}, and no loop ` +
    'has turned: there is nothing to show';
  return said === '' ? end : `${end}. It has printed:\n${said}`;
}

// Of a program that has crashed; undefined: it has not.
function crashOf({ status, signal }) {
  const { signals } = os.constants;
  const number = status > 128 ? status - 128 : signals[signal];
  const name = Object.keys(signals).find((one) => signals[one] === number);
  return name && `the program has crashed: ${name}`;
}

// What the world says about its own end, as of a program in which nothing can happen any more.
function problemIn(place) {
  const lines = fs.readFileSync(place.output, 'utf8').split('\n');
  const found = lines.findLast((line) => line.startsWith('phasor sim: '));
  return found?.slice('phasor sim: '.length);
}

// Immediates by numbers instead of addresses, which differ from build to build.
function numbered(lines) {
  const numbers = new Map();
  return lines.replace(/(,"imm[+.-]?",)"(0x[0-9a-f]+)"/g, (whole, before, address) => {
    if (!numbers.has(address)) numbers.set(address, numbers.size + 1);
    return before + numbers.get(address);
  });
}

// { lines, status, said } or { error }.
async function runWorld({ seed = 1, ...program }) {
  const place = makeFolder(program);
  try {
    const ended = await turn(program, place, seed);
    if (ended.error !== undefined) return ended;
    if (!fs.existsSync(place.recording) || !fs.existsSync(place.notes)) {
      return { error: problemOf(place, ended) };
    }
    const merged = await run([process.execPath, 'play', '--merge', place.recording, place.notes],
      { cwd: place.folder, env: environment(place) });
    if (merged.status !== 0) return { error: merged.text.trim() };
    // The program is where the reader has it, not in our folder.
    const lines = numbered(merged.text.split(`${place.home}/`).join(''));
    return { lines, status: ended.status, said: problemIn(place) ?? crashOf(ended) };
  } finally {
    removeFolder(place);
  }
}

// { text } that the program prints in this world; { error } if no other world is worth the wait;
// {} if it can't run.
async function printedIn(program, seed) {
  const place = makeFolder(program);
  try {
    const ended = await turn(program, place, seed);
    if (stopOf(place, ended) === 'time') return { error: problemOf(place, ended) };
    return ended.error === undefined && fs.existsSync(place.notes) ? { text: printed(place) } : {};
  } finally {
    removeFolder(place);
  }
}

// The orders that were found in so many worlds: [{ text, seeds }], the most frequent first; or
// { error }.
async function findOrders(program, worlds) {
  const found = new Map();
  let seed = 1, problem;
  const work = async () => {
    while (seed <= worlds && problem === undefined) {
      const own = seed++;
      const { text, error } = await printedIn(program, own);
      problem ??= error;
      if (text === undefined) continue;
      if (!found.has(text)) found.set(text, []);
      found.get(text).push(own);
    }
  };
  await Promise.all([work(), work()]);
  if (problem !== undefined) return { error: problem };
  return [...found].map(([text, seeds]) => ({ text, seeds: seeds.sort((a, b) => a - b) }))
    .sort((a, b) => b.seeds.length - a.seeds.length || a.seeds[0] - b.seeds[0]);
}

module.exports = { runWorld, findOrders, run };
