// What happened, as steps. A step has the changes that it makes to what is shown, so that any
// moment can be had: the nearest kept state before it, and the changes since.

import { Happenings } from './happenings.js';
import { joined } from './terminal.js';

const KEPT_EVERY = 100;

function emptyState() {
  return { turn: 0, phase: -1, asleep: false, place: 'script', frames: [], units: [], tick: [],
    job: [], timer: [], pending: [], imm: [], poll: [], queue: [], threads: [0, 0, 0, 0], done: [],
    closing: [], loop: [], lines: 0, time: 0, made: 0 };
}

function copyState(state) {
  const copy = { ...state };
  for (const name of Object.keys(copy)) if (Array.isArray(copy[name])) copy[name] = [...copy[name]];
  return copy;
}

// A change: [field, value], ['+field', id, place] or ['-field', id].
function apply(state, change) {
  const [field, value, place] = change;
  if (field[0] === '+') state[field.slice(1)].splice(place, 0, value);
  else if (field[0] === '-') {
    const list = state[field.slice(1)];
    const at = list.indexOf(value);
    if (at >= 0) list.splice(at, 1);
  } else if (field[0] === '#') state.threads[place] = value;
  else state[field] = value;
}

export function parseLines(text) {
  const events = [];
  let head = { began: 0, threads: [] };
  for (const line of text.split('\n')) {
    if (line[0] === '{') head = JSON.parse(line);
    else if (line[0] === '[') events.push(JSON.parse(line));
  }
  return { head, events };
}

export class Model {
  constructor({ lines = '', language = 'js', source = '' }) {
    const { head, events } = parseLines(lines);
    this.began = head.began;
    this.language = language;
    this.lineCount = source.split('\n').length;
    this.steps = [];
    this.lines = []; // of the console, or pieces of them: { text, fd, ends, step }
    this.entries = new Map();
    this.state = emptyState();
    this.kept = [copyState(this.state)];
    this.changes = [];
    this.stopped = undefined;
    new Happenings(this).read(events);
    this.state = undefined;
  }

  // Notes a change of the step that comes next.
  change(...change) {
    apply(this.state, change);
    this.changes.push(change);
  }

  set(field, value) {
    if (this.state[field] !== value) this.change(field, value);
  }

  add(field, id, place = this.state[field].length) {
    this.change(`+${field}`, id, place);
  }

  drop(field, id) {
    if (this.state[field].includes(id)) this.change(`-${field}`, id);
  }

  // Ends the step: what is said about it, and how large a step it is.
  step(level, key, values = {}, rule = undefined) {
    const step = { level, key, values, rule, changes: this.changes, time: this.state.time,
      turn: this.state.turn, phase: this.state.phase, number: this.steps.length + 1 };
    this.changes = [];
    this.steps.push(step);
    if (this.steps.length % KEPT_EVERY === 0) this.kept.push(copyState(this.state));
    return step;
  }

  // What is shown after so many steps.
  at(count) {
    const nearest = Math.min(Math.floor(count / KEPT_EVERY), this.kept.length - 1);
    const state = copyState(this.kept[nearest]);
    for (let i = nearest * KEPT_EVERY; i < count; i++) {
      for (const change of this.steps[i].changes) apply(state, change);
    }
    return state;
  }

  // The number of steps to show after one step of this size from here, forward or back.
  next(count, level, forward) {
    let at = count;
    do at += forward ? 1 : -1;
    while (at > 0 && at < this.steps.length && this.steps[at - 1].level < level);
    return Math.max(0, Math.min(this.steps.length, at));
  }

  // Whole lines of a descriptor.
  linesOf(fd) {
    return joined(this.lines.filter((line) => line.fd === fd));
  }
}
