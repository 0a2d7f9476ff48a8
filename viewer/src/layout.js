// Which lanes the timeline has, and where: a list of { y, height, label, kind, lane, track, ... }.

const GROUP_GAP = 10;

class Stack {
  constructor() {
    this.rows = [];
    this.y = 4;
  }

  add(height, row) {
    this.rows.push({ ...row, y: this.y, height });
    this.y += height + 2;
  }

  heading(label) {
    if (this.rows.length) this.y += GROUP_GAP;
    this.rows.push({ kind: 'heading', label, y: this.y, height: 16 });
    this.y += 18;
  }
}

function addLoop(stack, track) {
  stack.heading(track.name);
  stack.add(16, { kind: 'iterations', label: 'turns', lane: track.iterations, track });
  stack.add(18, { kind: 'phases', label: 'phases', lane: track.phases, track });
  addCallbacks(stack, track);
}

function addCallbacks(stack, track) {
  track.callbacks.forEach((lane, depth) => {
    const label = depth === 0 ? 'callbacks' : depth === 1 ? 'ticks' : '';
    stack.add(depth === 0 ? 20 : 15, { kind: 'callbacks', label, lane, track, depth });
  });
  if (track.instants.count) {
    stack.add(11, { kind: 'instants', label: 'marks', lane: track.instants, track });
  }
}

export function buildLayout(model) {
  const stack = new Stack();
  const many = model.head.processes.length > 1;
  for (const track of model.shown) {
    const shown = many
      ? {
          ...track,
          name:
            `${track.name}, process ` +
            `${model.head.processes[track.process]?.pid ?? track.process}`,
        }
      : track;
    if (track.kind === 'loop') addLoop(stack, shown);
    else if (track.kind !== 'pool' && (track.callbacks.length || track.instants.count)) {
      stack.heading(shown.name);
      addCallbacks(stack, track);
    }
  }
  const pool = model.tracks.filter((track) => track.kind === 'pool' && track.works.count);
  if (pool.length) stack.heading('thread pool');
  pool.forEach((track) =>
    stack.add(16, {
      kind: 'works',
      lane: track.works,
      track,
      label: track.name.replace(/^pool /, ''),
    }),
  );
  if (model.requestLanes.length) stack.heading('requests');
  model.requestLanes.forEach((lane, index) =>
    stack.add(8, { kind: 'requests', lane, track: null, label: index === 0 ? 'in flight' : '' }),
  );
  return { rows: stack.rows, height: stack.y + 6 };
}
