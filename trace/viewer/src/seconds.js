// Long recordings: of the times whose single events are not in the page there is a summary of each
// second. Where the events are there, they are shown instead.
import { formatCount, formatShare } from './format.js';

function isKept(kept, from, to) {
  return kept.some(([first, last]) => first <= from && to <= last);
}

class Seconds {
  // own: { turns, busy, worst }; width, from: of the first second; kept: times that have events.
  constructor(own, width, from, kept) {
    Object.assign(this, { own, step: width, from, kept });
  }

  // Calls visit({ from, to, turns, busy, worst }) for each second in the time that has no events.
  visit(from, to, visit) {
    const { turns, busy, worst } = this.own;
    const first = Math.max(0, Math.floor((from - this.from) / this.step));
    const last = Math.min(turns.length - 1, Math.floor((to - this.from) / this.step));
    for (let i = first; i <= last; i++) {
      const start = this.from + i * this.step;
      const end = start + this.step;
      if (isKept(this.kept, start, end)) continue;
      visit({ from: start, to: end, turns: turns[i], busy: busy[i], worst: worst[i] });
    }
  }
}

const made = new WeakMap();

// The summary of a loop's seconds; null where the page has every event.
export function secondsOf(model, track) {
  const { seconds, detail } = model.head;
  if (!made.has(track)) {
    const own = seconds?.tracks.find((loop) => loop.track === track.index);
    const kept = own?.detail ?? detail;
    const width = own?.width ?? seconds?.width;
    made.set(track, own && kept ? new Seconds(own, width, own.from ?? 0, kept) : null);
  }
  return made.get(track);
}

// In the row of turns: a box for each second, the stronger the busier, with what it was like.
export function drawSeconds(timeline, line) {
  const seconds = secondsOf(timeline.app.model, line.track);
  if (!seconds) return;
  const { context, colours } = timeline;
  const { view } = timeline.app;
  seconds.visit(view.from, view.to, (second) => {
    const x0 = Math.max(timeline.left, timeline.xOf(second.from));
    const x1 = Math.min(timeline.width, timeline.xOf(second.to));
    if (x1 <= x0) return;
    const gap = x1 - x0 > 4 ? 1 : 0;
    const share = Math.min(1, second.busy / seconds.step);
    context.fillStyle = colours.none;
    context.globalAlpha = 0.25 + 0.75 * share;
    context.fillRect(x0, line.y, x1 - x0 - gap, line.height);
    context.globalAlpha = 1;
    const hasEvents = line.lane.at(second.to) > line.lane.at(second.from);
    if (x1 - x0 < 60 || hasEvents) return;
    const text = `${formatCount(second.turns)} turns, ${formatShare(share)} busy`;
    timeline.drawText(line, text, x0, x1 - x0, colours.ink);
  });
}

// The second at a time, for the pointer; null: none, or its events are there.
export function secondAt(model, track, time) {
  let found = null;
  secondsOf(model, track)?.visit(time, time, (second) => {
    found = second;
  });
  return found;
}
