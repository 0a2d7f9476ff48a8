// The editor that is bundled into the page, or a plain field where the build had none. A page that
// was saved shows the program without one.

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

// The program as a list of its lines.
function listing(parent, { text, label }) {
  const list = make('ol', { class: 'listing', 'aria-label': label, tabindex: '0' });
  const lit = [];
  let shown = text;
  const setText = (next) => {
    shown = next;
    lit.length = 0;
    list.replaceChildren(...next.replace(/\n$/, '').split('\n').map((line) =>
      make('li', { text: line || ' ' })));
  };
  setText(text);
  parent.append(list);
  return {
    text: () => shown,
    setText,
    setLanguage() {},
    light(rows) {
      for (const one of lit.splice(0)) one.removeAttribute('class');
      for (const [line, name] of rows) {
        const one = list.children[line - 1];
        one?.classList.add(name);
        if (one !== undefined) lit.push(one);
      }
      const first = list.children[rows[0]?.[0] - 1];
      if (first === undefined) return;
      const top = first.offsetTop - list.offsetTop;
      if (top < list.scrollTop || top + first.offsetHeight > list.scrollTop + list.clientHeight) {
        list.scrollTop = top - list.clientHeight / 3;
      }
    },
    focus: () => list.focus(),
  };
}

export function openEditor(parent, { source, language, live }, onChange) {
  const given = { text: source, language, label: say('program'), onChange };
  if (!live) return listing(parent, given);
  return (globalThis.phasorEditor ?? plainField)(parent, given);
}
