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
  OUTSIDE,
  SHARES,
  SAMPLE,
  NO_PHASE,
  POLL,
} from './kinds.js';
import { Lane, laneOfRows } from './lane.js';

const DEEPEST = 11;
const REQUEST_ROWS = 4; // of one type
const MEASURE_ROWS = 4;

function newTrack(head, index) {
  return {
    index,
    kind: head.tracks[index].kind,
    name: head.tracks[index].name || `track ${index}`,
    process: head.tracks[index].process ?? 0,
    isMain: head.tracks[index].main === true,
    tid: head.tracks[index].tid,
    thread: head.tracks[index].thread ?? '',
    lists: {
      iterations: [],
      phases: [],
      waits: [],
      works: [],
      instants: [],
      dropped: [],
      outsides: [],
      measures: [],
      samples: [],
      wakes: [],
    },
    lastOf: [], // by kind: the row that came last
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
  for (let i = 0; i < rows.count; i++) {
    if (rows.kind[i] !== SHARES && rows.subject[i] > most) most = rows.subject[i];
  }
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
  [WAKE](model, track, row) {
    placeInstant(model, track, row);
    const sender = model.rows.value[row];
    const isSend = model.rows.subject[row] > 0; // not the pool's way back
    if (isSend && sender !== track.index && model.tracks[sender]) track.lists.wakes.push(row);
  },
  [BIRTH]: placeInstant,
  [CLOSE]: placeInstant,
  [MARK](model, track, row) {
    if (model.rows.duration[row] > 0) track.lists.measures.push(row);
    else placeInstant(model, track, row);
  },
  [OUTSIDE](model, track, row) {
    track.lists.outsides.push(row);
  },
  // What a span's time went to; it has the span's start and track.
  [SHARES](model, track, row) {
    const { rows } = model;
    const about = track.lastOf[rows.detail[row]];
    if (about === undefined || rows.start[about] !== rows.start[row]) return;
    model.shares.set(about, {
      on: rows.duration[row],
      waiting: rows.subject[row] * 1e3,
      calls: rows.value[row] < 0 ? null : rows.value[row] * 1e3,
    });
  },
  [SAMPLE](model, track, row) {
    track.lists.samples.push(row);
    model.sampleCount++;
  },
  [DROPPED](model, track, row) {
    track.lists.dropped.push(row);
    model.droppedEvents += model.rows.value[row];
  },
};

function placeInstant(model, track, row) {
  track.lists.instants.push(row);
}

function placeRows(model) {
  const { rows, tracks, head } = model;
  for (let row = 0; row < rows.count; row++) {
    const track = tracks[rows.track[row]];
    const start = rows.start[row];
    // What a sample stands for was before it.
    const end = start + (rows.kind[row] === SAMPLE ? 0 : rows.duration[row]);
    if (end > model.end && head.to === undefined) model.end = end;
    if (rows.kind[row] !== ITERATION) {
      if (track.iteration >= 0 && start <= track.iterationEnd) {
        model.iterationOf[row] = track.iteration;
        if (track.phase !== NO_PHASE && start <= track.phaseEnd) model.phaseOf[row] = track.phase;
      }
    }
    PLACE[rows.kind[row]]?.(model, track, row);
    track.lastOf[rows.kind[row]] = row;
  }
}

// The time that each iteration kept the loop busy: what became ready meanwhile waited that long.
function measureIterations(model, track) {
  const { rows } = model;
  const { iterations, waits } = track.lists;
  track.lag = new Float64Array(iterations.length);
  track.waited = new Float64Array(iterations.length);
  track.busyFirst = new Uint8Array(iterations.length); // most of it was before the sleep
  const before = new Float64Array(iterations.length).fill(-1);
  for (const row of waits) {
    const iteration = model.iterationOf[row];
    if (iteration < 0) continue;
    track.waited[iteration] += rows.duration[row];
    if (before[iteration] < 0)
      before[iteration] = rows.start[row] - rows.start[iterations[iteration]];
  }
  iterations.forEach((row, i) => {
    track.lag[i] = Math.max(0, rows.duration[row] - track.waited[i]);
    track.busyFirst[i] = before[i] > track.lag[i] / 2;
  });
}

// Requests overlap: each goes to the first of its type's few rows that is free, else to the last.
function packRequests(model) {
  const { rows, requests } = model;
  const groups = new Map();
  const order = [];
  requests.submit.forEach((row, number) => {
    if (row >= 0) order.push(number);
  });
  order.sort((a, b) => requests.submit[a] - requests.submit[b]);
  for (const number of order) {
    const row = requests.submit[number];
    const { process } = model.tracks[rows.track[row]];
    const type = model.head.types[rows.detail[row]] || 'request';
    const key = `${process} ${type}`;
    if (!groups.has(key)) groups.set(key, { process, type, packed: [] });
    const { packed } = groups.get(key);
    const start = rows.start[row];
    let place = packed.find((p) => p.free <= start);
    if (!place && packed.length < REQUEST_ROWS) {
      place = { start: [], end: [], ref: [], free: 0 };
      packed.push(place);
    }
    place ??= packed.at(-1);
    const end = Math.max(start, requestEnd(model, number));
    place.start.push(start);
    place.end.push(end);
    place.ref.push(number);
    place.free = Math.max(place.free, end);
  }
  return [...groups.values()].flatMap(({ process, type, packed }) =>
    packed.map((p, index) => ({
      process,
      type,
      index,
      lane: new Lane(Float64Array.from(p.start), Float64Array.from(p.end), Uint32Array.from(p.ref)),
    })),
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

// Spans that may overlap, in a few lanes: each in the first that is free, else in the last.
function packRows(rows, list) {
  const packed = [];
  for (const row of list) {
    let place = packed.find((one) => one.free <= rows.start[row]);
    if (!place && packed.length < MEASURE_ROWS) {
      place = { list: [], free: 0 };
      packed.push(place);
    }
    place ??= packed.at(-1);
    place.list.push(row);
    place.free = Math.max(place.free, rows.start[row] + rows.duration[row]);
  }
  return packed.map((one) => laneOfRows(rows, one.list));
}

// What kept a loop from everything else, in the order of time: each turn without its sleep, at the
// side of the sleep where it was busy for longer, and what the program did between its turns. The
// lane's ref is the row.
function laneOfStalls(model, track) {
  const { iterations, outsides, lag } = track;
  const count = iterations.count + outsides.count;
  const start = new Float64Array(count);
  const end = new Float64Array(count);
  const ref = new Uint32Array(count);
  for (let at = 0, turn = 0, out = 0; at < count; at++) {
    const isTurn =
      out >= outsides.count ||
      (turn < iterations.count && iterations.start[turn] <= outsides.start[out]);
    if (isTurn) {
      const first = track.busyFirst[turn];
      start[at] = first ? iterations.start[turn] : iterations.end[turn] - lag[turn];
      end[at] = start[at] + lag[turn];
      ref[at] = iterations.ref[turn++];
    } else {
      start[at] = outsides.start[out];
      end[at] = outsides.end[out];
      ref[at] = outsides.ref[out++];
    }
  }
  return new Lane(start, end, ref);
}

function finishTrack(model, track) {
  const { rows } = model;
  measureIterations(model, track);
  for (const [name, list] of Object.entries(track.lists)) track[name] = laneOfRows(rows, list);
  track.callbacks = track.byDepth.map((list) => laneOfRows(rows, list ?? []));
  track.stalls = laneOfStalls(model, track);
  track.measureLanes = packRows(rows, track.measures.ref);
  delete track.lists;
  delete track.byDepth;
  delete track.open;
  delete track.lastOf;
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
    shares: new Map(), // by row: { on, waiting, calls }
    sampleCount: 0,
    droppedEvents: 0,
    begin: head.from ?? 0, // of what the page is about
    end: head.to ?? head.duration ?? 0,
  };
  placeRows(model);
  for (const track of model.tracks) finishTrack(model, track);
  model.requestLanes = packRequests(model);
  model.shown = [...model.tracks].sort((a, b) => a.process - b.process || b.isMain - a.isMain);
  const told = new Set(head.figures.loops.map((loop) => loop.track));
  model.loops = model.shown.filter(
    (track) => track.kind === 'loop' && (track.iterations.count > 0 || told.has(track.index)),
  );
  model.end = Math.max(model.end, model.begin + 1000);
  return model;
}

// A callback of 90 ms that had a processor for 3 ms did not block anyone: what a span ran itself.
export function ranItself(model, row) {
  const shares = model.shares.get(row);
  const took = model.rows.duration[row];
  return shares ? Math.max(0, took - shares.waiting) : took;
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
