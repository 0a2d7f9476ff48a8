// The figures of a range of time. What reaches over its edges counts by the part that lies inside.
import { isTimer, loopLabel, rowTitle, splitPlace } from './describe.js';

const LATE = 2e6; // A timer is up to 1 ms late by its nature.

// Calls visit(index, part inside) for each span of a lane that the range meets.
function within(lane, { from, to }, visit) {
  if (!lane?.count) return;
  for (let i = Math.max(0, lane.at(from)); i < lane.count && lane.start[i] <= to; i++) {
    const part = Math.min(lane.end[i], to) - Math.max(lane.start[i], from);
    if (part > 0 || (part === 0 && lane.start[i] === lane.end[i])) visit(i, part);
  }
}

function loopInRange(model, track, range) {
  const own = { turns: 0, busy: 0, worst: 0, callbacks: 0, longestTook: 0 };
  own.name = loopLabel(model, track);
  let row = -1;
  within(track.iterations, range, () => own.turns++);
  within(track.stalls, range, (i, part) => {
    own.busy += part;
    own.worst = Math.max(own.worst, part);
  });
  within(track.callbacks[0], range, (i, part) => {
    own.callbacks++;
    if (part <= own.longestTook) return;
    own.longestTook = part;
    row = track.callbacks[0].ref[i];
  });
  own.longest = row < 0 ? '' : splitPlace(rowTitle(model, row))[0];
  own.utilisation = own.busy / (range.to - range.from);
  return own;
}

export function rangeFigures(model, range) {
  const figures = { works: 0, worked: 0, lateTimers: 0, latest: 0, waiting: 0 };
  figures.loops = model.loops
    .map((track) => loopInRange(model, track, range))
    .filter((loop) => loop.turns || loop.busy || loop.callbacks);
  for (const track of model.tracks) {
    within(track.works, range, (i, part) => {
      figures.works++;
      figures.worked += part;
    });
    within(track.callbacks[0], range, (i) => {
      const row = track.callbacks[0].ref[i];
      figures.waiting += model.shares.get(row)?.waiting ?? 0;
      const late = isTimer(model, row) ? model.rows.value[row] * 1000 : 0;
      if (late < LATE) return;
      figures.lateTimers++;
      figures.latest = Math.max(figures.latest, late);
    });
  }
  return figures;
}

// The functions that ran in a range (null: in the whole recording), by name and kind: those of
// callbacks, ticks and work. Values: { row, calls, total, times, on, worst, worstRow }.
export function functionsIn(model, range) {
  const found = new Map();
  const { rows } = model;
  const add = (row, part) => {
    const name = rows.name[row];
    const key = (name * 256 + rows.kind[row]) * 256 + (name ? 0 : rows.detail[row]);
    let own = found.get(key);
    if (!own) found.set(key, (own = { row, times: [], total: 0, on: null, worst: -1 }));
    own.times.push(part);
    own.total += part;
    const shares = model.shares.get(row);
    if (shares) own.on = (own.on ?? 0) + shares.on;
    if (part <= own.worst) return;
    own.worst = part;
    own.worstRow = row;
  };
  const all = range ?? { from: model.begin, to: model.end };
  for (const track of model.tracks) {
    for (const lane of [...track.callbacks, track.works]) {
      within(lane, all, (i, part) => add(lane.ref[i], part));
    }
  }
  return [...found.values()];
}

// The samples of a range, on one track or (null) on all: [{ node, weight }].
export function samplesIn(model, range, track) {
  const found = [];
  for (const one of track ? [track] : model.tracks) {
    const { samples } = one;
    for (let i = Math.max(0, samples.at(range.from)); i < samples.count; i++) {
      if (samples.start[i] > range.to) break;
      if (samples.start[i] < range.from) continue;
      const row = samples.ref[i];
      found.push({ node: model.rows.value[row], weight: model.rows.duration[row] || 1 });
    }
  }
  return found;
}
