'use strict';
// What a terminal sends, cut into keys.

const NAMES = {
  '[A': 'up', '[B': 'down', '[C': 'right', '[D': 'left', '[H': 'home', '[F': 'end', OH: 'home',
  OF: 'end', OA: 'up', OB: 'down', OC: 'right', OD: 'left', '[1~': 'home', '[4~': 'end',
  '[3~': 'delete', '[7~': 'home', '[8~': 'end', '[5~': 'pageup', '[6~': 'pagedown', '[Z': 'tab',
};
const CONTROLS = { '\r': 'return', '\n': 'enter', '\t': 'tab', '\b': 'backspace',
  '\u007f': 'backspace', ' ': 'space' };

function plainName(code) {
  if (code === '') return 'escape';
  return code.length === 1 ? CONTROLS[code] ?? code.toLowerCase() : undefined;
}

// Cuts what a terminal sends into keys: {sequence, name, ctrl, meta, shift}
function* keysOf(text) {
  for (let i = 0; i < text.length;) {
    const escape = /^\u001b(\[[0-9;]*[A-Za-z~]|O[A-Za-z]|.)?/su.exec(text.slice(i));
    if (escape) {
      i += escape[0].length;
      const modifier = /^\[(\d);(\d)([A-Z~])$/.exec(escape[1] ?? '');
      const code = !modifier ? escape[1] ?? ''
        : modifier[3] === '~' ? `[${modifier[1]}~` : `[${modifier[3]}`;
      const bits = modifier ? modifier[2] - 1 : 0;
      yield { sequence: escape[0], ctrl: Boolean(bits & 4), shift: Boolean(bits & 1),
        meta: Boolean(bits & 2) || (code.length === 1),
        name: NAMES[code] ?? plainName(code) };
      continue;
    }
    const character = String.fromCodePoint(text.codePointAt(i));
    i += character.length;
    if (character === '\r' && text[i] === '\n') i++;
    const code = character.charCodeAt(0);
    if (CONTROLS[character]) {
      yield { sequence: character, name: CONTROLS[character], ctrl: false, meta: false,
        shift: false };
    } else if (code < 27) {
      yield { sequence: character, name: String.fromCharCode(code + 96), ctrl: true, meta: false,
        shift: false };
    } else {
      yield { sequence: character, name: character.toLowerCase(), ctrl: false, meta: false,
        shift: /^[A-Z]$/.test(character) };
    }
  }
}

function emitKeys(stream) {
  if (stream._emitsKeys) return;
  stream._emitsKeys = true;
  const { StringDecoder } = require('string_decoder');
  const decoder = new StringDecoder('utf8');
  stream.on('data', (chunk) => {
    const text = typeof chunk === 'string' ? chunk : decoder.write(chunk);
    for (const key of keysOf(text)) {
      stream.emit('keypress', key.sequence.length === 1 || !key.sequence.startsWith('\u001b')
        ? key.sequence : undefined, key);
    }
  });
}

module.exports = { emitKeys, keysOf };
