// The queues as boxes. What moves from one to another flies there.

import { detail, label } from './describe.js';
import { make } from './dom.js';
import { say } from './words.js';

const MOST_CHIPS = 12;
const FLIGHT_MS = 260;
// Name, colour, the phase in which it runs, the lists of the state that it shows.
const BOXES = [
  ['stack', 'script', -1], ['tick', 'tick', -1], ['job', 'job', -1], ['timer', 'timer', 0],
  ['pending', 'poll', 1], ['hooks', 'script', -1, 'loop'], ['pollbox', 'poll', 4, 'poll'],
  ['done', 'poll', 4], ['queue', 'pool', -1], ['threads', 'pool', -1], ['imm', 'imm', 5],
  ['closing', 'closing', 6],
];

const COLOUR = { tick: 'tick', job: 'job', timer: 'timer', imm: 'imm', req: 'pool', handle: 'poll',
  cb: 'poll', script: 'script' };

export class Boxes {
  constructor(parent) {
    this.parent = parent;
    this.lists = new Map();
    for (const [name, colour] of BOXES) {
      const list = make('ul');
      const title = make('h3', { id: `box-${name}` });
      const box = make('div', { class: 'box', role: 'group', 'aria-labelledby': `box-${name}`,
        style: `--color: var(--${colour})` }, [title, list]);
      this.lists.set(name, { box, list, title, text: '' });
      parent.append(box);
    }
    this.stillness = matchMedia('(prefers-reduced-motion: reduce)');
  }

  // What a box shows, as rows: [id, class, colour, text, more].
  row(entry, text, more = '') {
    const colour = entry && (COLOUR[entry.of ?? entry.kind] ?? 'script');
    return [entry?.id, 'chip', colour, text, more];
  }

  rowsOf(name, field, state, model) {
    if (name === 'threads') {
      return state.threads.map((id, i) => {
        const number = say('thread', { number: i + 1 });
        if (id === 0) return [undefined, 'chip idle', undefined, `${number}: ${say('idle')}`, ''];
        const entry = model.entries.get(id);
        return this.row(entry, `${number}: ${label(entry)}`);
      });
    }
    if (name === 'stack') {
      const frames = state.frames.map(([frame, line, , isBody]) =>
        this.row(undefined, `${frame || say(isBody ? 'scriptName' : 'noName')} : ${line}`));
      const units = [...state.units].reverse().map((id) => {
        const entry = model.entries.get(id);
        return this.row(entry, label(entry));
      });
      return [...frames, ...units];
    }
    const rows = state[field].slice(0, MOST_CHIPS).map((id) => {
      const entry = model.entries.get(id);
      return this.row(entry, label(entry), detail(entry));
    });
    const count = state[field].length - rows.length;
    if (count > 0) rows.push([undefined, 'none', undefined, say('more', { count }), '']);
    return rows;
  }

  chip([id, className, colour, text, more]) {
    const chip = make('li', { class: className, 'data-id': id,
      style: colour && `--color: var(--${colour})`, text });
    if (more) chip.append(make('small', { text: more }));
    return chip;
  }

  // `moved` has the entries that fly; what shows the same as before is left alone.
  show(state, model, moved) {
    const flying = this.stillness.matches ? [] : moved;
    const before = flying.map((id) => this.rectangle(id));
    for (const [name, , phase, field = name] of BOXES) {
      const shown = this.lists.get(name);
      const rows = this.rowsOf(name, field, state, model);
      if (rows.length === 0) rows.push([undefined, 'none', undefined, say('empty'), '']);
      const text = JSON.stringify(rows);
      if (text !== shown.text) shown.list.replaceChildren(...rows.map((row) => this.chip(row)));
      shown.text = text;
      if (shown.title.textContent !== say(name)) shown.title.textContent = say(name);
      shown.box.classList.toggle('now', phase >= 0 && phase === state.phase);
    }
    this.flyAll(flying, before);
  }

  // All places are asked for before anything moves, so that the page is laid out once.
  flyAll(flying, before) {
    if (flying.length === 0) return;
    const stack = this.lists.get('stack').box.getBoundingClientRect();
    const chips = flying.map((id) => this.chipOf(id));
    const after = chips.map((chip) => chip?.getBoundingClientRect());
    chips.forEach((chip, i) => {
      // What is new comes from the code that made it.
      if (chip !== null) this.fly(chip, before[i] ?? stack, after[i]);
    });
  }

  chipOf(id) {
    return this.parent.querySelector(`[data-id="${id}"]`);
  }

  rectangle(id) {
    return this.chipOf(id)?.getBoundingClientRect();
  }

  fly(chip, from, to) {
    if (Math.abs(from.x - to.x) + Math.abs(from.y - to.y) < 2) return;
    chip.animate([{ transform: `translate(${from.x - to.x}px, ${from.y - to.y}px)`, zIndex: 3 },
      { transform: 'none', zIndex: 3 }], { duration: FLIGHT_MS, easing: 'ease-in-out' });
  }
}
