// The figures and sentences of one loop, and of the whole trace.
import { PHASES, POLL } from './kinds.js';
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
  const sum = (values) => values.reduce((all, one) => all + one, 0);
  const lengths = (lane) => lane.end.map((end, i) => end - lane.start[i]);
  const outside = sum(lengths(track.outsides));
  const time = sum(lengths(track.iterations)) + outside;
  const waited = sum(track.waited);
  const phaseTimes = PHASES.map(() => 0);
  const phases = track.phases;
  for (let i = 0; i < phases.count; i++) {
    phaseTimes[model.phaseOf[phases.ref[i]]] += phases.end[i] - phases.start[i];
  }
  phaseTimes[POLL] = Math.max(0, phaseTimes[POLL] - waited);
  return {
    time,
    waited,
    outside,
    utilisation: time > 0 ? Math.max(0, 1 - waited / time) : 0,
    iterations: track.iterations.count,
    callbacks: track.callbacks[0]?.count ?? 0,
    lag: spread(lengths(track.stalls)),
    phaseTimes,
    lateness: spread(timersOf(model, track).map((row) => model.rows.value[row] * 1000)),
    longest: longestCallbacks(track),
  };
}

const spreadOf = (told) => ({
  count: told?.count ?? 0,
  median: told?.median ?? 0,
  high: told?.p99 ?? 0,
  worst: told?.worst ?? 0,
});

// The report's figures where the writer gave them (the page may have only a part of the rows), else
// what follows from the rows.
export function loopFigures(model, track) {
  const told = model.head.figures?.loops?.find((loop) => loop.track === track.index);
  if (!told) return loopSummary(model, track);
  return {
    time: told.busy + told.waiting,
    waited: told.waiting,
    outside: told.outside?.sum ?? 0,
    processor: told.processor ?? null,
    utilisation: told.utilisation,
    iterations: told.iterations,
    callbacks: told.callbacks,
    lag: spreadOf(told.lag),
    phaseTimes: PHASES.map(({ name }) => told.phases?.[name]?.time ?? 0),
    lateness: spreadOf(told.timerLateness),
    longest: longestCallbacks(track),
  };
}

export function poolFigures(model) {
  const told = model.head.figures?.pool;
  if (!told) return requestSummary(model);
  return {
    count: told.requests,
    queued: spreadOf(told.queueWait),
    worked: spreadOf(told.ran),
    returned: spreadOf(told.wayBack),
  };
}

function timersOf(model, track) {
  return Array.from(track.callbacks[0]?.ref ?? []).filter((row) => isTimer(model, row));
}

// How long requests waited for a thread, worked, and waited for the loop.
function requestSummary(model) {
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

// The callback, or the time between turns, that a sentence is about: the writer gives its track and
// its start.
function rowOf(model, { track, start }) {
  const own = model.tracks[track];
  for (const lane of own ? [...own.callbacks.slice(0, 1), own.outsides, own.iterations] : []) {
    const at = lane.at(start);
    if (at >= 0 && lane.start[at] === start) return lane.ref[at];
  }
  return undefined;
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

// "node 4121: " before what is said of a loop, where the page has several processes.
function processName(model, track) {
  const process = model.head.processes[track.process];
  return model.head.processes.length > 1 && process ? `${process.name} ${process.pid}: ` : '';
}

function turnedSentence(model, track, loop) {
  if (!loop.iterations) return { text: 'The loop did not turn while this was recorded.' };
  return {
    text:
      `${processName(model, track)}${loopName(track)} turned ${times(loop.iterations)} in ` +
      `${formatDuration(loop.time)} and was busy for ${formatShare(loop.utilisation)} of it.`,
  };
}

function calmSentence(model, all) {
  const longest = all
    .flatMap(([, loop]) => loop.longest.filter((row) => model.iterationOf[row] >= 0).slice(0, 1))
    .sort((a, b) => model.rows.duration[b] - model.rows.duration[a])[0];
  if (longest === undefined) return [];
  const [name] = splitPlace(rowTitle(model, longest));
  const took = formatDuration(model.rows.duration[longest]);
  const what = all.length > 1 ? 'any of them' : 'it';
  return [
    { row: longest, text: `Nothing blocked ${what}: the longest callback, ${name}, took ${took}.` },
  ];
}

// Sentences for people about all loops: { text, row, start }, where row is what the sentence is
// about, if anything. figures: a map from loops to their figures.
export function sentencesOf(model, figures, requests) {
  const all = [...figures];
  const first = model.tracks.find((track) => track.kind === 'loop');
  // What is worth a word is decided in one place, by the report.
  const told = model.head.sentences.map((one) => ({ ...one, row: rowOf(model, one) }));
  const about = (subject) => told.filter((one) => one.about === subject);
  const turned = all.length
    ? all.map(([track, loop]) => turnedSentence(model, track, loop))
    : [turnedSentence(model, first, { iterations: 0 })];
  const isCalm = told.every((one) => one.start === undefined);
  const blocked = isCalm ? calmSentence(model, all) : about('blocked');
  const pool = about('pool').length ? about('pool') : workSentence(requests);
  const rest = [...about('loop'), ...pool, ...about('recording')];
  // Of one loop it is said first how it did; of several, first who blocked one.
  return all.length > 1 ? [...blocked, ...rest, ...turned] : [...turned, ...blocked, ...rest];
}
