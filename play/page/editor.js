// The editor that is bundled into the page, or a plain field where the build had none.

import { make } from './dom.js';
import { say } from './words.js';

function plainField(parent, { text, label, onChange }) {
  const field = make('textarea', { 'aria-label': label, spellcheck: 'false', oninput: onChange });
  field.value = text;
  parent.append(field);
  return {
    text: () => field.value,
    setText: (next) => { field.value = next; },
    setLanguage() {},
    light() {},
    focus: () => field.focus(),
    isPlain: true,
  };
}

export function openEditor(parent, text, language, onChange) {
  const given = { text, language, label: say('program'), onChange };
  return (globalThis.phasorEditor ?? plainField)(parent, given);
}
