// Several recordings on one page: they become one, with their times on one clock and their tracks,
// strings, subjects and stacks numbered one after the other.
import { SAMPLE, SHARES, WAKE } from './kinds.js';

const APART = 5e9; // ns by which two clocks may differ that are taken for the same

// How much later each began than the first. The machine's own clock is exact, but only for what was
// recorded since the same start of the same machine.
function beginnings(heads) {
  const clock = heads.map((head) => head.clock ?? NaN);
  const wall = heads.map((head) => (head.startedAt ?? 0) * 1e6);
  const later = heads.map((_, i) => {
    const exact = clock[i] - clock[0];
    const rough = wall[i] - wall[0];
    return Math.abs(exact - rough) < APART ? exact : rough;
  });
  const first = Math.min(...later);
  return later.map((time) => time - first);
}

// Where the folders of a command are left out, it still tells one process from another.
function shortName(head, process) {
  return (head.program || process.name || '').replace(/(^|\s)\/\S*\/(?=\S)/g, '$1');
}

// What is added to the numbers of each recording.
function offsetsOf(recordings) {
  const begins = beginnings(recordings.map(({ head }) => head));
  const next = { process: 0, track: 0, string: 0, subject: 0, stack: 0 };
  return recordings.map(({ head, rows }, i) => {
    const own = { ...next, time: begins[i] };
    next.process += head.processes.length;
    next.track += head.tracks.length;
    next.string += head.strings.length;
    next.stack += head.stacks.length;
    let most = 0;
    for (let row = 0; row < rows.count; row++) {
      if (rows.kind[row] !== SHARES && rows.subject[row] > most) most = rows.subject[row];
    }
    next.subject += most;
    return own;
  });
}

// Times in sentences are since the beginning of their own recording.
function movedText({ text, start }, by) {
  const at = (time) => ` at ${(time / 1e9).toFixed(3)} s`;
  return start === undefined ? text : text.replace(at(start), at(start + by.time));
}

// The first of each recording, the second, and so on: what matters most comes first.
function byRank(lists) {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, rank) =>
    lists.flatMap((list) => list.slice(rank, rank + 1)),
  ).flat();
}

function moved(one, by) {
  const here = { ...one };
  if (here.track !== undefined) here.track += by.track;
  for (const name of ['start', 'worstAt']) if (here[name] !== undefined) here[name] += by.time;
  return here;
}

function movedLoop(loop, by) {
  return { ...moved(loop, by), longest: loop.longest?.map((one) => moved(one, by)) };
}

function mergeHeads(recordings, offsets) {
  const join = (list) => recordings.flatMap(({ head }, i) => list(head, offsets[i], i));
  const first = recordings[offsets.findIndex(({ time }) => time === 0)].head;
  const names = recordings.map(({ head }) => shortName(head, head.processes[0] ?? {}));
  const processName = (i) => {
    const alone = names.filter((name) => name === names[i]).length === 1;
    return alone ? `${names[i]}: ` : `${names[i]} (${recordings[i].head.processes[0]?.pid}): `;
  };
  const ends = recordings.map(({ head }, i) => offsets[i].time + (head.to ?? head.duration ?? 0));
  return {
    ...first,
    processes: join((head) => head.processes.map((p) => ({ ...p, name: shortName(head, p) }))),
    tracks: join((head, by) =>
      head.tracks.map((track) => ({ ...track, process: (track.process ?? 0) + by.process })),
    ),
    strings: join((head) => head.strings),
    stacks: join((head, by) =>
      head.stacks.map(([up, name]) => [up < 0 ? up : up + by.stack, name + by.string]),
    ),
    sentences: byRank(
      recordings.map(({ head }, i) =>
        head.sentences.map((one) => ({
          ...moved(one, offsets[i]),
          text: processName(i) + movedText(one, offsets[i]),
        })),
      ),
    ),
    functions: join((head, by) => head.functions.map((one) => moved(one, by))),
    figures: {
      loops: join((head, by) => head.figures.loops.map((loop) => movedLoop(loop, by))),
      pools: join((head) => head.processes.map((_, i) => head.figures.pools[i])),
    },
    seconds: { tracks: join((head, by) => mergedSeconds(head, by)) },
    detail: null,
    events: recordings.reduce((sum, { head, rows }) => sum + (head.events ?? rows.count), 0),
    duration: Math.max(...ends),
    from: Math.min(...recordings.map(({ head }, i) => offsets[i].time + (head.from ?? 0))),
    to: undefined,
  };
}

// Each with its own width and beginning, and the times of which its recording has every row.
function mergedSeconds(head, by) {
  if (!head.seconds || !head.detail) return [];
  const detail = head.detail.map((range) => range.map((time) => time + by.time));
  return head.seconds.tracks.map((one) => ({
    ...moved(one, by),
    width: head.seconds.width,
    from: by.time,
    detail,
  }));
}

function moveRows({ rows }, by) {
  for (let i = 0; i < rows.count; i++) {
    const kind = rows.kind[i];
    rows.start[i] += by.time;
    rows.track[i] += by.track;
    if (rows.name[i]) rows.name[i] += by.string;
    if (rows.subject[i] && kind !== SHARES) rows.subject[i] += by.subject;
    if (kind === WAKE && rows.value[i] >= 0) rows.value[i] += by.track;
    if (kind === SAMPLE) rows.value[i] += by.stack;
  }
}

// recordings: [{ head, rows }]; returns one of that kind, its rows not yet in order.
export function mergeTraces(recordings) {
  const offsets = offsetsOf(recordings);
  const head = mergeHeads(recordings, offsets);
  recordings.forEach((one, i) => moveRows(one, offsets[i]));
  const count = recordings.reduce((sum, { rows }) => sum + rows.count, 0);
  const rows = { count };
  for (const [column, values] of Object.entries(recordings[0].rows)) {
    if (column === 'count') continue;
    rows[column] = new values.constructor(count);
    let at = 0;
    for (const one of recordings) {
      rows[column].set(one.rows[column], at);
      at += one.rows.count;
    }
  }
  return { head, rows };
}
