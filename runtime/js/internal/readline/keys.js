'use strict';
// What a terminal sends, cut into keys.

const { StringDecoder } = require('string_decoder');

const ESCAPE = '\u001b';
const ESCAPE_TIMEOUT = 500; // ms: an escape that nothing follows is the key of that name
// A sequence that is not complete: more has to come before it means something.
const UNFINISHED = /^\u001b\u001b?(?:O\d?|\[\[?\d{0,3}(?:(?<=\d);\d?)?)?$/;

const ARROWS = { A: 'up', B: 'down', C: 'right', D: 'left', E: 'clear', F: 'end', H: 'home' };
const NUMBERED = {
  1: 'home', 2: 'insert', 3: 'delete', 4: 'end', 5: 'pageup', 6: 'pagedown', 7: 'home', 8: 'end',
  11: 'f1', 12: 'f2', 13: 'f3', 14: 'f4', 15: 'f5', 17: 'f6', 18: 'f7', 19: 'f8', 20: 'f9',
  21: 'f10', 23: 'f11', 24: 'f12', 200: 'paste-start', 201: 'paste-end',
};
const PLAIN = { '\r': 'return', '\n': 'enter', '\t': 'tab', '\b': 'backspace',
  '\u007f': 'backspace', [ESCAPE]: 'escape', ' ': 'space' };

function tableOfCodes() {
  const codes = { '[Z': ['tab', 'shift'] };
  for (const [letter, name] of Object.entries(ARROWS)) {
    codes[`[${letter}`] = codes[`O${letter}`] = [name];
    if (letter > 'E') continue;
    codes[`[${letter.toLowerCase()}`] = [name, 'shift'];
    codes[`O${letter.toLowerCase()}`] = [name, 'ctrl'];
  }
  for (const [number, name] of Object.entries(NUMBERED)) codes[`[${number}~`] = [name];
  for (const number of [2, 3, 5, 6, 7, 8]) {
    codes[`[${number}$`] = [NUMBERED[number], 'shift'];
    codes[`[${number}^`] = [NUMBERED[number], 'ctrl'];
  }
  ['P', 'Q', 'R', 'S'].forEach((letter, i) => {
    codes[`[${letter}`] = codes[`O${letter}`] = [`f${i + 1}`];
  });
  ['A', 'B', 'C', 'D', 'E'].forEach((letter, i) => { codes[`[[${letter}`] = [`f${i + 1}`]; });
  codes['[[5~'] = ['pageup'];
  codes['[[6~'] = ['pagedown'];
  return codes;
}

let codes;

// [code without modifiers, modifiers as bits]
function codeOf(sequence) {
  const old = /^O(\d?)([^]*)$/u.exec(sequence);
  if (old) return [`O${old[2]}`, (old[1] || 1) - 1];
  const [, start, rest] = /^(\[\[?)([^]*)$/u.exec(sequence);
  const number = /^(\d\d?)(?:;(\d))?([~^$])$/.exec(rest);
  if (number) return [start + number[1] + number[3], (number[2] || 1) - 1];
  const letter = /^(?:(?:\d;)?(\d))?([A-Za-z])$/.exec(rest);
  return letter ? [start + letter[2], (letter[1] || 1) - 1] : [start + rest, 0];
}

function coded(key, sequence) {
  const [code, bits] = codeOf(sequence);
  key.ctrl = Boolean(bits & 4);
  key.meta = Boolean(bits & 10);
  key.shift = Boolean(bits & 1);
  key.code = code;
  codes ??= tableOfCodes();
  const [name, modifier] = codes[code] ?? ['undefined'];
  key.name = name;
  if (modifier) key[modifier] = true;
}

function plain(key, character, escaped) {
  if (PLAIN[character] !== undefined) {
    key.name = PLAIN[character];
    key.meta = escaped;
  } else if (!escaped && character <= '\u001a' && character !== '') {
    key.name = String.fromCharCode(character.charCodeAt(0) + 96);
    key.ctrl = true;
  } else if (/^[0-9A-Za-z]$/.test(character)) {
    key.name = character.toLowerCase();
    key.shift = /^[A-Z]$/.test(character);
    key.meta = escaped;
  } else if (escaped) {
    key.name = character === '' ? 'escape' : undefined;
    key.meta = true;
  }
}

function keyOf(sequence) {
  const key = { sequence, name: undefined, ctrl: false, meta: false, shift: false };
  const escaped = sequence[0] === ESCAPE;
  const rest = escaped ? sequence.replace(/^\u001b\u001b?/, '') : sequence;
  if (escaped && /^[O[]./su.test(rest)) coded(key, rest);
  else plain(key, rest, escaped);
  return key;
}

class KeyReader {
  #stream;
  #pending = '';

  constructor(stream) { this.#stream = stream; }

  // One character, or '' when nothing follows.
  take(character) {
    const sequence = this.#pending + character;
    if (character !== '' && UNFINISHED.test(sequence)) {
      this.#pending = sequence;
      return;
    }
    this.#pending = '';
    if (sequence === '') return;
    const key = keyOf(sequence);
    const escaped = sequence[0] === ESCAPE;
    this.#stream.emit('keypress', escaped ? undefined : sequence, key);
  }
}

const readers = new WeakMap();

function emitKeypressEvents(stream, reader = {}) {
  if (readers.has(stream)) return;
  const keys = new KeyReader(stream);
  readers.set(stream, keys);
  const decoder = new StringDecoder('utf8');
  let timer;
  function onData(chunk) {
    if (stream.listenerCount('keypress') === 0) {
      stream.removeListener('data', onData);
      stream.on('newListener', onNewListener);
      return;
    }
    const text = decoder.write(chunk);
    if (text === '') return;
    clearTimeout(timer);
    const characters = [...text];
    reader._sawKeyPress = characters.length === 1;
    reader.isCompletionEnabled = false; // text that was pasted is not completed
    characters.forEach((character, i) => {
      const isLast = i === characters.length - 1;
      if (isLast) reader.isCompletionEnabled = true;
      keys.take(character);
      if (isLast && character === ESCAPE) {
        timer = setTimeout(() => keys.take(''), reader.escapeCodeTimeout ?? ESCAPE_TIMEOUT);
      }
    });
  }
  function onNewListener(event) {
    if (event !== 'keypress') return;
    stream.on('data', onData);
    stream.removeListener('newListener', onNewListener);
  }
  if (stream.listenerCount('keypress') > 0) stream.on('data', onData);
  else stream.on('newListener', onNewListener);
}

module.exports = { emitKeypressEvents };
