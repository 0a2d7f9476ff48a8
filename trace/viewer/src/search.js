// Search: every word of the query must be found in a row's function, type, kind or phase. "#12" is
// the handle or request with that number.
import {
  CALLBACK,
  ITERATION,
  KIND_NAMES,
  MARK,
  NO_PHASE,
  PHASE,
  PHASES,
  SHARES,
  TICK,
  WAIT,
} from './kinds.js';
import { formatCount } from './format.js';
import { byId } from './dom.js';

const PAUSE = 120;

// A function that tells whether a row has the word. Looks at each string once, not at each row.
function tester(model, word) {
  const { rows, head } = model;
  if (/^#\d+$/.test(word)) {
    const wanted = Number(word.slice(1));
    return (row) => rows.subject[row] === wanted;
  }
  const has = (text) => text.toLowerCase().includes(word);
  const strings = Uint8Array.from(head.strings, (text) => has(text));
  const types = Uint8Array.from(head.types, (text) => has(text));
  const kinds = Uint8Array.from(KIND_NAMES, (text) => has(text));
  const phases = Uint8Array.from(PHASES, (phase) => has(phase.name));
  const ticks = [has('tick'), has('microtask')];
  const number = /^\d+$/.test(word) ? Number(word) : NaN;
  return (row) => {
    const kind = rows.kind[row];
    if (kind === ITERATION) return kinds[kind] === 1 || rows.value[row] === number;
    if (kind === PHASE) return phases[model.phaseOf[row]] === 1;
    if (kind === TICK && ticks[rows.detail[row] & 1]) return true;
    if (strings[rows.name[row]] && rows.name[row]) return true;
    if (kind !== TICK && kinds[kind]) return true;
    const typed = kind >= CALLBACK && kind < MARK && kind !== TICK && rows.detail[row];
    if (typed && types[rows.detail[row]]) return true;
    return kind === CALLBACK && model.phaseOf[row] !== NO_PHASE && phases[model.phaseOf[row]] === 1;
  };
}

export function findRows(model, query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return new Uint32Array(0);
  const tests = words.map((word) => tester(model, word));
  const exact = words.some((word) => PHASES.some((phase) => phase.name === word));
  const found = [];
  for (let row = 0; row < model.rows.count; row++) {
    const kind = model.rows.kind[row];
    // Every iteration has every phase: those are found by their whole name only.
    if ((kind === PHASE && !exact) || kind === WAIT || kind >= SHARES) continue;
    if (tests.every((test) => test(row))) found.push(row);
  }
  return Uint32Array.from(found);
}

export class Search {
  constructor(app) {
    this.app = app;
    this.matches = new Uint32Array(0);
    this.current = -1;
    this.input = byId('query');
    this.input.addEventListener('input', () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.run(), PAUSE);
    });
    this.input.addEventListener('keydown', (event) => this.key(event));
    byId('match-next').addEventListener('click', () => this.go(1));
    byId('match-previous').addEventListener('click', () => this.go(-1));
  }

  key(event) {
    if (event.key === 'Enter') {
      event.preventDefault();
      clearTimeout(this.timer);
      if (this.input.value !== this.ran) this.run();
      else this.go(event.shiftKey ? -1 : 1);
    } else if (event.key === 'Escape') {
      this.input.value = '';
      this.run();
      this.input.blur();
    }
    event.stopPropagation();
  }

  run() {
    this.ran = this.input.value;
    this.matches = findRows(this.app.model, this.ran);
    this.app.matches = this.matches;
    this.current = -1;
    if (this.matches.length) this.goNear();
    else this.tell();
    this.app.redraw();
  }

  // The first match in view, or else the first of all.
  goNear() {
    const { rows } = this.app.model;
    const inView = this.matches.findIndex((row) => rows.start[row] >= this.app.view.from);
    this.current = Math.max(0, inView) - 1;
    this.go(1);
  }

  go(direction) {
    const count = this.matches.length;
    if (!count) return;
    this.current = (this.current + direction + count) % count;
    this.app.select(this.matches[this.current]);
    this.tell();
  }

  tell() {
    const count = this.matches.length;
    byId('match-next').disabled = byId('match-previous').disabled = !count;
    byId('matches').textContent = !this.ran
      ? ''
      : count
        ? `${formatCount(this.current + 1)} of ${formatCount(count)}`
        : 'nothing found';
  }
}
