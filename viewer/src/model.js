// What follows from the rows: which iteration and phase each one belongs to, how callbacks nest,
// the life of each request, the lag of each iteration.
import {
  ITERATION,
  PHASE,
  WAIT,
  CALLBACK,
  TICK,
  WORK,
  SUBMIT,
  DONE,
  WAKE,
  BIRTH,
  CLOSE,
  DROPPED,
  MARK,
  NO_PHASE,
  POLL,
} from './kinds.js';
import { Lane, laneOfRows } from './lane.js';

const DEEPEST = 11;
const REQUEST_ROWS = 8;

function newTrack(head, index) {
  return {
    index,
    kind: head.tracks[index].kind,
    name: head.tracks[index].name || `track ${index}`,
    process: head.tracks[index].process ?? 0,
    isMain: head.tracks[index].main === true,
    lists: { iterations: [], phases: [], waits: [], works: [], instants: [], dropped: [] },
    byDepth: [],
    open: [], // ends of the callbacks and ticks that enclose the current time
    iteration: -1,
    iterationEnd: -1,
    phase: NO_PHASE,
    phaseEnd: -1,
    outside: [], // callbacks outside of every iteration
  };
}

// One request's rows by its number: -1 where there is none.
function newRequests(rows) {
  let most = 0;
  for (let i = 0; i < rows.count; i++) if (rows.subject[i] > most) most = rows.subject[i];
  const column = () => new Int32Array(most + 1).fill(-1);
  return { submit: column(), work: column(), done: column(), callback: column(), count: 0 };
}

function placeCallback(model, track, row) {
  const { rows } = model;
  const start = rows.start[row];
  while (track.open.length && track.open.at(-1) <= start) track.open.pop();
  const depth = Math.min(track.open.length, DEEPEST);
  // A callback nests only where it is contained; what merely overlaps goes one level down.
  track.open.push(start + rows.duration[row]);
  model.depthOf[row] = depth;
  (track.byDepth[depth] ??= []).push(row);
}

const PLACE = {
  [ITERATION](model, track, row) {
    track.iteration = track.lists.iterations.length;
    track.iterationEnd = model.rows.start[row] + model.rows.duration[row];
    track.phase = NO_PHASE;
    track.lists.iterations.push(row);
    model.iterationOf[row] = track.iteration;
  },
  [PHASE](model, track, row) {
    track.phase = Math.min(model.rows.detail[row], 6);
    track.phaseEnd = model.rows.start[row] + model.rows.duration[row];
    track.lists.phases.push(row);
    model.phaseOf[row] = track.phase;
  },
  [WAIT](model, track, row) {
    track.lists.waits.push(row);
  },
  [CALLBACK](model, track, row) {
    placeCallback(model, track, row);
    if (model.iterationOf[row] < 0) track.outside.push(row);
    const subject = model.rows.subject[row];
    const { submit, callback } = model.requests;
    if (submit[subject] >= 0 && callback[subject] < 0) callback[subject] = row;
  },
  [TICK](model, track, row) {
    placeCallback(model, track, row);
    if (model.iterationOf[row] < 0 && model.depthOf[row] === 0) track.outside.push(row);
  },
  [WORK](model, track, row) {
    track.lists.works.push(row);
    model.requests.work[model.rows.subject[row]] = row;
  },
  [SUBMIT](model, track, row) {
    const subject = model.rows.subject[row];
    if (subject && model.requests.submit[subject] < 0) {
      model.requests.submit[subject] = row;
      model.requests.count++;
    }
    track.lists.instants.push(row);
  },
  [DONE](model, track, row) {
    model.requests.done[model.rows.subject[row]] = row;
  },
  [WAKE]: placeInstant,
  [BIRTH]: placeInstant,
  [CLOSE]: placeInstant,
  [MARK]: placeInstant,
  [DROPPED](model, track, row) {
    track.lists.dropped.push(row);
    model.droppedEvents += model.rows.value[row];
  },
};

function placeInstant(model, track, row) {
  track.lists.instants.push(row);
}

function placeRows(model) {
  const { rows, tracks } = model;
  for (let row = 0; row < rows.count; row++) {
    const track = tracks[rows.track[row]];
    const start = rows.start[row];
    const end = start + rows.duration[row];
    if (end > model.end) model.end = end;
    if (rows.kind[row] !== ITERATION) {
      if (track.iteration >= 0 && start <= track.iterationEnd) {
        model.iterationOf[row] = track.iteration;
        if (track.phase !== NO_PHASE && start <= track.phaseEnd) model.phaseOf[row] = track.phase;
      }
    }
    PLACE[rows.kind[row]]?.(model, track, row);
  }
}

// The time that each iteration kept the loop busy: what became ready meanwhile waited that long.
function measureIterations(model, track) {
  const { rows } = model;
  const { iterations, waits } = track.lists;
  track.lag = new Float64Array(iterations.length);
  track.waited = new Float64Array(iterations.length);
  for (const row of waits) {
    const iteration = model.iterationOf[row];
    if (iteration >= 0) track.waited[iteration] += rows.duration[row];
  }
  iterations.forEach((row, i) => {
    track.lag[i] = Math.max(0, rows.duration[row] - track.waited[i]);
  });
}

// Requests overlap: each goes to the first of a few rows that is free, else to the last one.
function packRequests(model) {
  const { rows, requests } = model;
  const packed = Array.from({ length: REQUEST_ROWS }, () => ({
    start: [],
    end: [],
    ref: [],
    free: 0,
  }));
  const order = [];
  requests.submit.forEach((row, number) => {
    if (row >= 0) order.push(number);
  });
  order.sort((a, b) => requests.submit[a] - requests.submit[b]);
  for (const number of order) {
    const start = rows.start[requests.submit[number]];
    const end = Math.max(start, requestEnd(model, number));
    const place = packed.find((p) => p.free <= start) ?? packed.at(-1);
    place.start.push(start);
    place.end.push(end);
    place.ref.push(number);
    place.free = Math.max(place.free, end);
  }
  return packed
    .filter((p) => p.start.length)
    .map(
      (p) =>
        new Lane(Float64Array.from(p.start), Float64Array.from(p.end), Uint32Array.from(p.ref)),
    );
}

export function requestEnd(model, number) {
  const { rows, requests } = model;
  if (requests.callback[number] >= 0) return rows.start[requests.callback[number]];
  const last = Math.max(requests.work[number], requests.done[number]);
  return last >= 0 ? rows.start[last] + rows.duration[last] : model.end;
}

// The moments of a request's life; those that were not recorded are undefined.
export function requestLife(model, number) {
  const { rows, requests } = model;
  const life = { submitted: rows.start[requests.submit[number]] };
  const work = requests.work[number];
  if (work >= 0) {
    life.started = rows.start[work];
    life.done = life.started + rows.duration[work];
  }
  if (requests.done[number] >= 0) life.over = rows.start[requests.done[number]];
  life.done ??= life.over;
  if (requests.callback[number] >= 0) life.called = rows.start[requests.callback[number]];
  return life;
}

function finishTrack(model, track) {
  const { rows } = model;
  track.iterations = laneOfRows(rows, track.lists.iterations);
  track.phases = laneOfRows(rows, track.lists.phases);
  track.waits = laneOfRows(rows, track.lists.waits);
  track.works = laneOfRows(rows, track.lists.works);
  track.instants = laneOfRows(rows, track.lists.instants);
  track.dropped = laneOfRows(rows, track.lists.dropped);
  track.callbacks = track.byDepth.map((list) => laneOfRows(rows, list));
  measureIterations(model, track);
  delete track.lists;
  delete track.byDepth;
  delete track.open;
}

export function buildModel({ head, rows }) {
  const model = {
    head,
    rows,
    tracks: head.tracks.map((_, index) => newTrack(head, index)),
    iterationOf: new Int32Array(rows.count).fill(-1),
    phaseOf: new Uint8Array(rows.count).fill(NO_PHASE),
    depthOf: new Uint8Array(rows.count),
    requests: newRequests(rows),
    droppedEvents: 0,
    end: head.duration ?? 0,
  };
  placeRows(model);
  for (const track of model.tracks) finishTrack(model, track);
  model.requestLanes = packRequests(model);
  model.shown = [...model.tracks].sort((a, b) => b.isMain - a.isMain);
  model.loops = model.shown.filter((track) => track.kind === 'loop' && track.iterations.count > 0);
  model.end = Math.max(model.end, 1000);
  return model;
}

// The rows of one iteration, in the order of time, with the enclosing one first.
export function rowsOfIteration(model, track, index, most = Infinity) {
  const { rows } = model;
  const found = [];
  let row = track.iterations.ref[index];
  const end = rows.start[row] + rows.duration[row];
  for (row++; row < rows.count && rows.start[row] <= end && found.length < most; row++) {
    if (rows.track[row] === track.index && model.iterationOf[row] === index) found.push(row);
  }
  return found;
}

// The phases of one iteration in the order of time: { phase, row, start, end, wait, callbacks }.
export function phasesOfIteration(model, track, index, most = 400) {
  const { rows } = model;
  const phases = [];
  let listed = 0;
  for (const row of rowsOfIteration(model, track, index)) {
    const kind = rows.kind[row];
    const current = phases.at(-1);
    if (kind === PHASE) {
      phases.push({
        phase: model.phaseOf[row],
        row,
        start: rows.start[row],
        end: rows.start[row] + rows.duration[row],
        wait: -1,
        entries: [],
        callbacks: 0,
        more: 0,
      });
    } else if (current && kind === WAIT && model.phaseOf[row] === POLL) {
      current.wait = row;
    } else if (current && (kind === CALLBACK || kind === TICK)) {
      if (kind === CALLBACK) current.callbacks++;
      if (listed++ < most) current.entries.push(row);
      else current.more++;
    }
  }
  return phases;
}
