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
  };
}

// The program is listed at once. The editor, which is most of the page's code, takes the list's
// place when the first picture is there.
export class Editor {
  constructor(parent, { source, language }, onChange) {
    Object.assign(this, { parent, language, onChange, rows: [] });
    this.now = listing(parent, { text: source, label: say('program') });
  }

  arrive() {
    const code = document.getElementById('play-editor');
    if (code === null) return;
    document.head.append(make('script', { text: code.textContent }));
    code.remove();
    const given = { text: this.text(), language: this.language, label: say('program'),
      onChange: this.onChange };
    this.parent.replaceChildren();
    this.now = (globalThis.phasorEditor ?? plainField)(this.parent, given);
    this.now.light(this.rows);
  }

  text() { return this.now.text(); }
  setText(next) { this.now.setText(next); }
  get isPlain() { return this.now.isPlain; }

  setLanguage(name) {
    this.language = name;
    this.now.setLanguage(name);
  }

  light(rows) {
    this.rows = rows;
    this.now.light(rows);
  }
}
