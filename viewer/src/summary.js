// The figures and sentences of one loop, and of the whole trace.
import { PHASES } from './kinds.js';
import { capital, formatCount, formatDuration, formatShare, plural } from './format.js';
import { requestLife } from './model.js';
import { isTimer, rowTitle, splitPlace } from './describe.js';

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
  let time = 0;
  for (let i = 0; i < lane.count; i++) time += lane.end[i] - lane.start[i];
  const waited = track.waited.reduce((sum, time) => sum + time, 0);
  const phaseTimes = PHASES.map(() => 0);
  const phases = track.phases;
  for (let i = 0; i < phases.count; i++) {
    phaseTimes[model.phaseOf[phases.ref[i]]] += phases.end[i] - phases.start[i];
  }
  return {
    time,
    waited,
    utilisation: time > 0 ? Math.max(0, 1 - waited / time) : 0,
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

// The callback that a sentence is about: the writer gives its track and its start.
function rowOf(model, { track, start }) {
  const lane = model.tracks[track]?.callbacks[0];
  const at = lane?.count ? lane.at(start) : -1;
  return at >= 0 && lane.start[at] === start ? lane.ref[at] : undefined;
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
  const median = formatDuration(queued.median);
  const waited =
    queued.count < 4
      ? 'the longest wait for a thread was'
      : `half of them waited less than ${median} for a thread, the unluckiest`;
  const text =
    `${plural(queued.count, 'piece')} of work went to the pool: ${waited} ` +
    `${formatDuration(queued.worst)}.`;
  return [{ text }];
}

function times(count) {
  return count === 1 ? 'once' : `${formatCount(count)} times`;
}

// "The main loop", "Loop 2"
function loopName({ name }) {
  return /^loop\b/.test(name) ? capital(name) : `The ${name}`;
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
        `${loopName(track)} turned ${times(loop.iterations)} in ` +
        `${formatDuration(loop.time)} and was busy for ${formatShare(loop.utilisation)} of it.`,
    });
  }
  // What is worth a word is decided in one place, by the report.
  const told = model.head.sentences
    .filter((one) => one.track === undefined || one.track === track.index)
    .map((one) => ({ ...one, row: rowOf(model, one) }));
  const about = (subject) => told.filter((one) => one.about === subject);
  out.push(...about('blocked'));
  const inLoop = loop.longest.filter((row) => model.iterationOf[row] >= 0);
  if (!about('blocked').length && inLoop.length) {
    const [name] = splitPlace(rowTitle(model, inLoop[0]));
    out.push({
      row: inLoop[0],
      text:
        `Nothing blocked it: the longest callback, ${name}, took ` +
        `${formatDuration(rows.duration[inLoop[0]])}.`,
    });
  }
  out.push(...about('loop'));
  out.push(...(about('pool').length ? about('pool') : workSentence(requests)));
  return out.concat(about('recording'));
}
