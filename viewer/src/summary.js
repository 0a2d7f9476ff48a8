// The figures and sentences of one loop, and of the whole trace.
import { PHASES } from './kinds.js';
import { formatCount, formatDuration, formatMoment, formatShare, plural } from './format.js';
import { requestLife } from './model.js';
import { isTimer, rowTitle, splitPlace } from './describe.js';

const BLOCKED = 50e6; // A callback this long is felt by people.

// Of values that are sorted; 0 if there are none.
function quantile(sorted, part) {
  return sorted.length ? sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] : 0;
}

export function spread(values) {
  const sorted = Float64Array.from(values).sort();
  return {
    count: sorted.length,
    median: quantile(sorted, 0.5),
    high: quantile(sorted, 0.99),
    worst: sorted.length ? sorted.at(-1) : 0,
  };
}

// The rows of the longest outermost callbacks of a track.
export function longestCallbacks(track, most = 10) {
  const lane = track.callbacks[0];
  const best = [];
  if (!lane) return [];
  const length = (i) => lane.end[i] - lane.start[i];
  for (let i = 0; i < lane.count; i++) {
    if (best.length === most && length(i) <= length(best.at(-1))) continue;
    let at = best.length;
    while (at > 0 && length(best[at - 1]) < length(i)) at--;
    best.splice(at, 0, i);
    if (best.length > most) best.pop();
  }
  return best.map((i) => lane.ref[i]);
}

export function loopSummary(model, track) {
  const lane = track.iterations;
  const span = lane.count ? lane.end[lane.count - 1] - lane.start[0] : 0;
  const waited = track.waited.reduce((sum, time) => sum + time, 0);
  const phaseTimes = PHASES.map(() => 0);
  const phases = track.phases;
  for (let i = 0; i < phases.count; i++) {
    phaseTimes[model.phaseOf[phases.ref[i]]] += phases.end[i] - phases.start[i];
  }
  return {
    span,
    waited,
    utilisation: span > 0 ? Math.max(0, 1 - waited / span) : 0,
    iterations: lane.count,
    callbacks: track.callbacks[0]?.count ?? 0,
    lag: spread(track.lag),
    phaseTimes,
    lateness: spread(timersOf(model, track).map((row) => model.rows.value[row] * 1000)),
    longest: longestCallbacks(track),
  };
}

function timersOf(model, track) {
  return Array.from(track.callbacks[0]?.ref ?? []).filter((row) => isTimer(model, row));
}

// How long requests waited for a thread, worked, and waited for the loop.
export function requestSummary(model) {
  const queued = [];
  const worked = [];
  const returned = [];
  model.requests.submit.forEach((row, number) => {
    if (row < 0) return;
    const life = requestLife(model, number);
    if (life.started !== undefined) {
      queued.push(Math.max(0, life.started - life.submitted));
      worked.push(life.done - life.started);
    }
    if (life.called !== undefined && life.done !== undefined) {
      returned.push(Math.max(0, life.called - life.done));
    }
  });
  return {
    count: model.requests.count,
    queued: spread(queued),
    worked: spread(worked),
    returned: spread(returned),
  };
}

// How many timers became due while the callback ran.
function timersHeldUp(model, row) {
  const { rows } = model;
  const track = model.tracks[rows.track[row]];
  const start = rows.start[row];
  const end = start + rows.duration[row];
  const lane = track.callbacks[0];
  let held = 0;
  for (let i = lane.at(end) + 1; i < lane.count && lane.start[i] < end + BLOCKED; i++) {
    const timer = lane.ref[i];
    const due = rows.start[timer] - rows.value[timer] * 1000;
    if (isTimer(model, timer) && due >= start && due < end) held++;
  }
  return held;
}

function blockedSentence(model, row) {
  const { rows } = model;
  const [name] = splitPlace(rowTitle(model, row));
  const held = timersHeldUp(model, row);
  const late = held ? `; ${plural(held, 'timer was', 'timers were')} late because of it` : '';
  return {
    row,
    text:
      `The loop was blocked for ${formatDuration(rows.duration[row])} at ` +
      `${formatMoment(rows.start[row])} by ${name}${late}.`,
  };
}

function workSentence(requests) {
  const { queued, worked } = requests;
  if (!queued.count) return [];
  if (queued.count === 1) {
    return [
      {
        text:
          `One piece of work went to the pool: it waited ${formatDuration(queued.worst)} ` +
          `for a thread and took ${formatDuration(worked.worst)}.`,
      },
    ];
  }
  const text =
    `${plural(queued.count, 'piece')} of work went to the pool: half of them waited ` +
    `less than ${formatDuration(queued.median)} for a thread, the unluckiest ` +
    `${formatDuration(queued.worst)}.`;
  return [{ text }];
}

function times(count) {
  return count === 1 ? 'once' : `${formatCount(count)} times`;
}

// Sentences for people: { text, row }, where row is what the sentence is about, if anything.
export function sentencesOf(model, track, loop, requests) {
  const out = [];
  const { rows } = model;
  if (!loop.iterations) {
    out.push({ text: 'The loop did not turn while this was recorded.' });
  } else {
    out.push({
      text:
        `The ${track.name} turned ${times(loop.iterations)} in ` +
        `${formatDuration(loop.span)} and was busy for ${formatShare(loop.utilisation)} of it.`,
    });
  }
  const inLoop = loop.longest.filter((row) => model.iterationOf[row] >= 0);
  const blocking = inLoop.filter((row) => rows.duration[row] >= BLOCKED).slice(0, 3);
  out.push(...blocking.map((row) => blockedSentence(model, row)));
  if (!blocking.length && inLoop.length) {
    const [name] = splitPlace(rowTitle(model, inLoop[0]));
    out.push({
      row: inLoop[0],
      text:
        `Nothing blocked it: the longest callback, ${name}, took ` +
        `${formatDuration(rows.duration[inLoop[0]])}.`,
    });
  }
  out.push(...workSentence(requests));
  const told = model.head.notes.some((text) => text.includes('lost'));
  if (model.droppedEvents && !told) {
    out.push({
      text:
        `${plural(model.droppedEvents, 'event')} were lost because the recorder's ` +
        'buffers were full: dashed boxes in the timeline show where.',
    });
  }
  return out.concat(model.head.notes.map((text) => ({ text })));
}
