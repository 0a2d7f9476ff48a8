// The figures and sentences of the report, as the page shows them: nothing is worked out here.
import { PHASES } from './kinds.js';

// Of values that are sorted; 0 if there are none.
function quantile(sorted, part) {
  return sorted.length ? sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] : 0;
}

// Of a range that was chosen in the page, of which no report can know.
export function spread(values) {
  const sorted = Float64Array.from(values).sort();
  return {
    count: sorted.length,
    median: quantile(sorted, 0.5),
    high: quantile(sorted, 0.99),
    worst: sorted.length ? sorted.at(-1) : 0,
  };
}

const spreadOf = (told) => ({
  count: told?.count ?? 0,
  median: told?.median ?? 0,
  high: told?.p99 ?? 0,
  worst: told?.worst ?? 0,
});

// The callback, or the time between turns, that starts then; undefined: it is not in the page.
function rowOf(model, { track, start }) {
  const own = model.tracks[track];
  for (const lane of own ? [...own.callbacks.slice(0, 1), own.outsides, own.iterations] : []) {
    const at = lane.at(start);
    if (at >= 0 && lane.start[at] === start) return lane.ref[at];
  }
  return undefined;
}

// What the report says of a loop; of a loop that it does not know, nothing.
export function loopFigures(model, track) {
  const told = model.head.figures.loops.find((loop) => loop.track === track.index) ?? {};
  const longest = (told.longest ?? []).map(({ start }) => rowOf(model, { ...told, start }));
  return {
    time: (told.busy ?? 0) + (told.waiting ?? 0),
    waited: told.waiting ?? 0,
    outside: told.outside?.sum ?? 0,
    processor: told.processor ?? null,
    utilisation: told.utilisation ?? 0,
    iterations: told.iterations ?? 0,
    callbacks: told.callbacks ?? 0,
    lag: spreadOf(told.lag),
    phaseTimes: PHASES.map(({ name }) => told.phases?.[name]?.time ?? 0),
    lateness: spreadOf(told.timerLateness),
    longest: longest.filter((row) => row !== undefined),
  };
}

// How long requests of a process waited for a thread, worked, and waited for the loop.
export function poolFigures(model, process) {
  const told = model.head.figures.pools[process] ?? {};
  return {
    count: told.requests ?? 0,
    queued: spreadOf(told.queueWait),
    worked: spreadOf(told.ran),
    returned: spreadOf(told.wayBack),
  };
}

// Sentences for people about all loops: { text, row, start }, where row is what the sentence is
// about, if anything. Of one loop it is said first how it did; of several, first who blocked one.
export function sentencesOf(model) {
  const told = model.head.sentences.map((one) => ({ ...one, row: rowOf(model, one) }));
  const about = (...subjects) =>
    subjects.flatMap((subject) => told.filter((one) => one.about === subject));
  const notable = about('blocked', 'calm', 'http', 'loop', 'pool', 'recording');
  const turned = about('turned');
  return model.loops.length > 1 ? [...notable, ...turned] : [...turned, ...notable];
}
