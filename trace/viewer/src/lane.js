// A lane is a list of spans in the order of time that do not overlap, with a pyramid over it: each
// node of a level summarises four nodes of the level below. Drawing stops descending where a node
// is narrower than a pixel, so that a frame costs by pixels and not by events.

const FAN = 4;

export class Lane {
  // start, end: times; ref: what the span is (a row, or a request's number).
  constructor(start, end, ref) {
    this.start = start;
    this.end = end;
    this.ref = ref;
    this.count = start.length;
    this.levels = null;
  }

  buildLevels() {
    this.levels = [];
    const bottom = { start: this.start, end: this.end, busy: null, longest: null };
    for (let below = bottom; below.start.length > FAN; below = this.levels.at(-1)) {
      this.levels.push(this.summarise(below));
    }
  }

  summarise(below) {
    const n = Math.ceil(below.start.length / FAN);
    const level = {
      start: new Float64Array(n),
      end: new Float64Array(n),
      busy: new Float64Array(n),
      longest: new Uint32Array(n),
    };
    for (let i = 0; i < n; i++) {
      const last = Math.min(below.start.length, (i + 1) * FAN);
      let busy = 0;
      let longest = i * FAN;
      let end = 0;
      for (let j = i * FAN; j < last; j++) {
        const length = below.end[j] - below.start[j];
        busy += below.busy ? below.busy[j] : length;
        if (length > below.end[longest] - below.start[longest]) longest = j;
        if (below.end[j] > end) end = below.end[j];
      }
      // The longest child of an inner node is found again through that child's own longest.
      level.longest[i] = below.longest ? this.longestOf(below, i * FAN, last) : longest;
      level.start[i] = below.start[i * FAN];
      level.end[i] = end;
      level.busy[i] = busy;
    }
    return level;
  }

  longestOf(below, from, to) {
    let best = below.longest[from];
    for (let j = from + 1; j < to; j++) {
      const other = below.longest[j];
      if (this.end[other] - this.start[other] > this.end[best] - this.start[best]) best = other;
    }
    return best;
  }

  // Calls onSpan(index) for spans at least `finest` long in [from, to], and
  // onGroup(start, end, busy, longest) for what is too small to be seen one by one.
  visit(from, to, finest, onSpan, onGroup) {
    if (!this.levels) this.buildLevels();
    const descend = (depth, first, last) => {
      const level = depth < 0 ? this : this.levels[depth];
      for (let i = first; i < last; i++) {
        const { start, end } = level;
        if (end[i] < from) continue;
        if (start[i] > to) return;
        if (depth < 0) {
          if (end[i] - start[i] >= finest) onSpan(i);
          else onGroup(start[i], end[i], end[i] - start[i], i);
        } else if (end[i] - start[i] < finest) {
          onGroup(start[i], end[i], level.busy[i], level.longest[i]);
        } else {
          const below = depth === 0 ? this.count : this.levels[depth - 1].start.length;
          descend(depth - 1, i * FAN, Math.min(below, (i + 1) * FAN));
        }
      }
    };
    const top = this.levels.length - 1;
    descend(top, 0, top < 0 ? this.count : this.levels[top].start.length);
  }

  // The last span that starts at or before the time; -1 if there is none.
  at(time) {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.start[middle] <= time) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  // The span nearest to the time, at most `reach` away; -1 if there is none.
  near(time, reach) {
    const before = this.at(time);
    let best = -1;
    let distance = reach;
    for (const i of [before, before + 1]) {
      if (i < 0 || i >= this.count) continue;
      const away = Math.max(0, this.start[i] - time, time - this.end[i]);
      if (away <= distance) [best, distance] = [i, away];
    }
    return best;
  }
}

export function laneOfRows(rows, list) {
  const start = new Float64Array(list.length);
  const end = new Float64Array(list.length);
  for (let i = 0; i < list.length; i++) {
    start[i] = rows.start[list[i]];
    end[i] = start[i] + rows.duration[list[i]];
  }
  return new Lane(start, end, Uint32Array.from(list));
}
