// Which lanes the timeline has, and where: a list of { y, height, label, kind, lane, track, ... }.
import { ownName, processTitle } from './describe.js';

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

  heading(label, note = '', kind = 'heading') {
    if (this.rows.length) this.y += kind === 'process' ? GROUP_GAP * 2 : GROUP_GAP;
    this.rows.push({ kind, label, note, y: this.y, height: 16 });
    this.y += 18;
  }
}

// "node, thread 4121": what the system calls the thread.
function threadNote(track) {
  const parts = [ownName(track), track.tid > 0 ? `thread ${track.tid}` : ''];
  return parts.filter(Boolean).join(', ');
}

function addLoop(stack, track) {
  stack.heading(track.name, threadNote(track));
  stack.add(16, { kind: 'iterations', label: 'turns', lane: track.iterations, track });
  stack.add(18, { kind: 'phases', label: 'phases', lane: track.phases, track });
  addCallbacks(stack, track);
}

function addCallbacks(stack, track) {
  track.callbacks.forEach((lane, depth) => {
    const label = depth === 0 ? 'callbacks' : depth === 1 ? 'ticks' : '';
    stack.add(depth === 0 ? 20 : 15, { kind: 'callbacks', label, lane, track, depth });
  });
  track.measureLanes.forEach((lane, index) =>
    stack.add(13, { kind: 'measures', label: index === 0 ? 'measures' : '', lane, track }),
  );
  if (track.instants.count) {
    stack.add(11, { kind: 'instants', label: 'marks', lane: track.instants, track });
  }
}

function addProcess(stack, model, process) {
  const own = model.shown.filter((track) => track.process === process);
  for (const track of own) {
    if (track.kind === 'loop') addLoop(stack, track);
    else if (
      track.kind !== 'pool' &&
      track.kind !== 'task' &&
      (track.callbacks.length || track.instants.count || track.measures.count)
    ) {
      stack.heading(track.name, threadNote(track));
      addCallbacks(stack, track);
    }
  }
  const pool = own.filter((track) => track.kind === 'pool' && track.works.count);
  if (pool.length) stack.heading('thread pool');
  for (const track of pool) {
    const label = track.tid > 0 ? String(track.tid) : track.name.replace(/^pool /, '');
    stack.add(16, { kind: 'works', lane: track.works, track, label });
  }
  const tasks = own.filter((track) => track.kind === 'task' && track.measures.count);
  if (tasks.length) stack.heading('coroutines and actors', 'when each ran, and what it waited for');
  for (const track of tasks) {
    stack.add(14, { kind: 'measures', lane: track.measures, track, label: track.name });
  }
  const requests = model.requestLanes.filter((one) => one.process === process);
  if (requests.length) stack.heading('requests', 'from submission to callback');
  for (const { lane, type, index } of requests) {
    stack.add(12, { kind: 'requests', lane, track: null, label: index === 0 ? type : '' });
  }
}

export function buildLayout(model) {
  const stack = new Stack();
  const { processes } = model.head;
  const numbers = [...new Set(model.shown.map((track) => track.process))];
  for (const number of numbers) {
    if (processes.length > 1) {
      const { title, note } = processTitle(model, number);
      stack.heading(title, note, 'process');
    }
    addProcess(stack, model, number);
  }
  return { rows: stack.rows, height: stack.y + 6 };
}
