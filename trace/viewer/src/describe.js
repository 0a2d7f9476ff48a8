// Words for rows.
import {
  ITERATION,
  PHASE,
  WAIT,
  CALLBACK,
  TICK,
  WORK,
  WAKE,
  DROPPED,
  MARK,
  MARK_NAMES,
  OUTSIDE,
  KIND_NAMES,
  NO_PHASE,
  PHASES,
  TIMERS,
} from './kinds.js';
import { formatCount, formatDuration, formatTime } from './format.js';
import { requestLife } from './model.js';

const OUTSIDE_WHERE = [
  'between two turns',
  'between two turns',
  'before the first turn',
  'after the last turn',
];

export function typeName(model, row) {
  return model.head.types[model.rows.detail[row]] ?? '';
}

// Whether a timer fired; the callback of its closing is another matter.
export function isTimer(model, row) {
  return (
    model.rows.kind[row] === CALLBACK &&
    model.phaseOf[row] === TIMERS &&
    typeName(model, row) === 'timer'
  );
}

// Work of the runtime's own has no name: it is called by what waits for it.
function workTitle(model, row) {
  const callback = model.requests.callback[model.rows.subject[row]];
  const name = callback >= 0 ? model.head.strings[model.rows.name[callback]] : '';
  const type = typeName(model, row) || 'work';
  return name ? `${type} for ${name}` : type;
}

// A row's name for people: the function, the phase, the number of the iteration.
export function rowTitle(model, row) {
  const { rows, head } = model;
  const name = head.strings[rows.name[row]] ?? '';
  switch (rows.kind[row]) {
    case ITERATION:
      return `iteration ${formatCount(rows.value[row])}`;
    case PHASE:
      return PHASES[model.phaseOf[row]].name;
    case WAIT:
      return 'waiting for I/O';
    case DROPPED:
      return `${formatCount(rows.value[row])} events lost`;
    case OUTSIDE:
      return name || `the program, ${OUTSIDE_WHERE[rows.detail[row]] ?? OUTSIDE_WHERE[0]}`;
    case TICK:
      return name || '(runtime)';
    case WORK:
      return name || workTitle(model, row);
    case CALLBACK:
      return name || `unnamed ${typeName(model, row) || KIND_NAMES[rows.kind[row]]}`;
    default:
      if (name) return name;
      return (rows.kind[row] < MARK && typeName(model, row)) || KIND_NAMES[rows.kind[row]];
  }
}

// "parse_config (config.js:88)" as ["parse_config", "config.js:88"]. What has no name of its own
// keeps its place: "(anonymous) config.js:88".
export function splitPlace(title) {
  const match = /^(.*\S) \(([^()]+:\d+)\)$/.exec(title);
  if (!match) return [title, ''];
  const [, name, place] = match;
  return [name.startsWith('(') ? `${name} ${place.split('/').at(-1)}` : name, place];
}

export function rowKind(model, row) {
  const kind = model.rows.kind[row];
  if (kind === TICK) return model.rows.detail[row] === 1 ? 'microtask' : 'tick';
  if (kind === MARK) return MARK_NAMES[model.rows.detail[row]] ?? 'mark';
  if (kind === OUTSIDE) return 'outside of the loop';
  const type = kind >= CALLBACK ? typeName(model, row) : '';
  const name = KIND_NAMES[kind] ?? 'event';
  return type && type !== name ? `${type} ${name}` : name;
}

export function planned(microseconds) {
  return microseconds < 0 ? 'no limit' : formatDuration(microseconds * 1000) || '0';
}

// The callback that kept the loop busy when this timer became due; -1 if none did.
export function blockerOf(model, row) {
  const { rows } = model;
  const due = rows.start[row] - rows.value[row] * 1000;
  const lane = model.tracks[rows.track[row]].callbacks[0];
  let worst = -1;
  for (let i = lane.at(rows.start[row]) - 1; i >= 0 && lane.end[i] > due; i--) {
    if (worst < 0 || lane.end[i] - lane.start[i] > lane.end[worst] - lane.start[worst]) worst = i;
  }
  return worst < 0 ? -1 : lane.ref[worst];
}

// "node server.js", and "pid 4121, left with 0".
export function processTitle(model, number) {
  const process = model.head.processes[number] ?? {};
  const note = [process.pid && `pid ${process.pid}`, exitText(process.exit)];
  if (process.parent && model.head.processes.some((other) => other.pid === process.parent))
    note.splice(1, 0, `child of ${process.parent}`);
  return {
    title: process.name || `process ${number + 1}`,
    note: note.filter(Boolean).join(', '),
  };
}

// A loop among others: "main loop · 4130" where there are several processes, else with its thread's
// name.
export function loopLabel(model, track) {
  const many = model.head.processes.length > 1;
  const process = model.head.processes[track.process];
  const more = many && process ? process.pid : ownName(track);
  return [track.name, more].filter(Boolean).join(' · ');
}

// What the thread calls itself, where the track's name does not say it already.
export function ownName(track) {
  return track.name.includes(track.thread) ? '' : track.thread;
}

// How a process ended; '' if that is not known.
export function exitText(exit) {
  if (!exit) return '';
  return exit.signal ? `ended by ${exit.signal}` : `left with status ${exit.code}`;
}

// Where the time of a span went, as pairs of a label and a text.
export function sharesFacts(model, row) {
  const shares = model.shares.get(row);
  if (!shares) return [];
  const facts = [['on a processor', formatDuration(shares.on)]];
  if (shares.waiting > 0) facts.push(['waited for one', formatDuration(shares.waiting)]);
  if (shares.calls) facts.push(['in system calls', formatDuration(shares.calls)]);
  return facts;
}

function lifeFacts(model, number) {
  const life = requestLife(model, number);
  const facts = [['submitted', formatTime(life.submitted, 1e3)]];
  if (life.started !== undefined) {
    facts.push(['waited for a thread', formatDuration(life.started - life.submitted)]);
    facts.push(['worked', formatDuration(life.done - life.started)]);
  }
  if (life.called !== undefined && life.done !== undefined) {
    facts.push(['waited for the loop', formatDuration(life.called - life.done)]);
  }
  if (life.called !== undefined)
    facts.push(['in all', formatDuration(life.called - life.submitted)]);
  else if (life.over !== undefined)
    facts.push(['done after', formatDuration(life.over - life.submitted)]);
  return facts;
}

// What is known about a row, as pairs of a label and a text.
export function rowFacts(model, row) {
  const { rows } = model;
  const kind = rows.kind[row];
  const facts = [['at', formatTime(rows.start[row], 1e3)]];
  if (rows.duration[row] > 0) facts.push(['took', formatDuration(rows.duration[row])]);
  facts.push(...sharesFacts(model, row));
  facts.push(['on', model.tracks[rows.track[row]].name]);
  if (model.iterationOf[row] >= 0 && kind !== ITERATION) {
    const track = model.tracks[rows.track[row]];
    const iteration = track.iterations.ref[model.iterationOf[row]];
    facts.push(['iteration', formatCount(rows.value[iteration])]);
  }
  if (model.phaseOf[row] !== NO_PHASE && kind !== PHASE) {
    facts.push(['phase', PHASES[model.phaseOf[row]].name]);
  }
  if (kind === WAIT) facts.push(['planned', planned(rows.value[row])]);
  if (kind === WAKE && rows.value[row] >= 0 && model.tracks[rows.value[row]]) {
    facts.push(['sent by', model.tracks[rows.value[row]].name]);
  }
  if (isTimer(model, row)) {
    facts.push(['late by', formatDuration(rows.value[row] * 1000)]);
    const blocker = rows.value[row] > 1000 ? blockerOf(model, row) : -1;
    if (blocker >= 0) facts.push(['because of', rowTitle(model, blocker)]);
  }
  const subject = rows.subject[row];
  if (subject && model.requests.submit[subject] >= 0) {
    facts.push(['request', `#${subject}`], ...lifeFacts(model, subject));
  } else if (subject) {
    facts.push(['handle', `#${subject}`]);
  }
  return facts;
}
