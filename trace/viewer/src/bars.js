// The bars of the timeline's rows. What is wider than a pixel is drawn as itself; for the rest, a
// column's strength is its share of busy time and its colour that of the longest span in it.
import {
  BIRTH,
  BLOCK,
  CLOSE,
  ITERATION,
  MARK,
  NO_PHASE,
  OUTSIDE,
  PHASE,
  SUBMIT,
  TASK_WAITS,
  TICK,
  WAIT,
  WAKE,
  WORK,
} from './kinds.js';
import { cutText } from './format.js';
import { rowTitle, splitPlace } from './describe.js';
import { ranItself, requestLife } from './model.js';
import { heatOf } from './heat.js';
import { drawSeconds } from './seconds.js';

const ROOM_FOR_ARROW = 24;
const SHADES = 8;
const MARKS = { [SUBMIT]: '↗', [WAKE]: '!', [BIRTH]: '+', [CLOSE]: '×', [MARK]: '◆' };

export const COLUMN = 6.1; // pixels of a letter

// What a request is for: its own name, or that of the function that waits for it.
function requestName(model, number) {
  const { rows, requests, head } = model;
  const own = head.strings[rows.name[requests.submit[number]]];
  const callback = requests.callback[number];
  const waits = callback < 0 ? '' : head.strings[rows.name[callback]];
  return splitPlace(own || waits || '')[0];
}

export class Bars {
  // timeline: { app, context, colours, left, width, scale, xOf(time), timeAt(x) }
  constructor(timeline) {
    this.timeline = timeline;
    this.app = timeline.app;
    this.cover = new Float32Array(0);
  }

  xOf(time) {
    return this.timeline.xOf(time);
  }

  // Before the rows of a frame.
  begin(stripes) {
    const { context, colours, left, width, scale } = this.timeline;
    Object.assign(this, { context, colours, left, width, scale, stripes });
    this.requests = []; // that are wide enough for an arrow
    if (this.cover.length >= width + 1) return;
    this.cover = new Float32Array(width + 1);
    this.best = new Float64Array(width + 1);
    this.tint = new Array(width + 1);
  }

  colourOf(line, ref) {
    const { model } = this.app;
    if (line.kind === 'requests') return this.colours.work;
    switch (model.rows.kind[ref]) {
      case ITERATION:
        return model.iterationOf[ref] % 2 ? this.colours.none : this.colours.faint;
      case PHASE:
      case WAIT:
        return this.colours.phases[model.phaseOf[ref]] ?? this.colours.none;
      case WORK:
        return this.colours.work;
      case MARK:
        return model.rows.detail[ref] === TASK_WAITS ? this.colours.faint : this.colours.accent;
      case OUTSIDE:
        return heatOf(this.colours, ranItself(model, ref));
      default: {
        if (this.app.colourBy === 'time') return heatOf(this.colours, ranItself(model, ref));
        const phase = model.phaseOf[ref];
        return phase === NO_PHASE ? this.colours.none : this.colours.phases[phase];
      }
    }
  }

  drawLine(line) {
    const { context, scale, left, width } = this;
    const { view } = this.app;
    const { lane } = line;
    const wide = Math.ceil(width - left);
    this.cover.fill(0, 0, wide + 1);
    this.best.fill(-1, 0, wide + 1);
    const wideSpans = [];
    lane.visit(
      view.from,
      view.to,
      scale,
      (i) => wideSpans.push(i),
      (start, end, busy, longest) => {
        const x = Math.floor((start - view.from) / scale);
        if (x < 0 || x > wide) return;
        this.cover[x] += busy / scale;
        const length = lane.end[longest] - lane.start[longest];
        if (length >= this.best[x]) {
          this.best[x] = length;
          this.tint[x] = longest;
        }
      },
    );
    if (line.kind === 'iterations') drawSeconds(this, line);
    this.drawColumns(line, wide);
    context.font = `11px ${this.colours.font}`;
    for (const i of wideSpans) this.drawSpan(line, i);
    if (line.kind === 'callbacks') this.drawBlocks(line, wide, wideSpans);
    if (line.kind === 'phases') this.drawWaits(line);
    if (line.kind === 'iterations') this.drawOutsides(line);
    for (const i of wideSpans) this.drawName(line, i);
    if (line.track?.dropped.count && line.kind === 'callbacks' && line.depth === 0) {
      this.drawDropped(line);
    }
  }

  drawColumns(line, wide) {
    const { context, left } = this;
    if (line.kind === 'instants') {
      this.drawInstants(line, wide);
      return;
    }
    // Neighbours of the same colour and strength are one rectangle: that is most of the cost.
    let from = 0;
    let colour = '';
    let strength = 0;
    for (let x = 0; x <= wide + 1; x++) {
      const here = x <= wide && this.best[x] >= 0;
      const nowStrength = here ? Math.ceil(Math.min(1, this.cover[x]) * SHADES) : 0;
      const nowColour = here ? this.colourOf(line, line.lane.ref[this.tint[x]]) : '';
      if (nowColour === colour && nowStrength === strength) continue;
      if (colour) {
        context.globalAlpha = 0.3 + (0.7 * strength) / SHADES;
        context.fillStyle = colour;
        context.fillRect(left + from, line.y, x - from, line.height);
      }
      [from, colour, strength] = [x, nowColour, nowStrength];
    }
    context.globalAlpha = 1;
  }

  // What blocked the loop is seen at any zoom: at least three pixels wide, above its neighbours.
  drawBlocks(line, wide, spans) {
    const { context, left } = this;
    const least = 3;
    const block = (x, i) => {
      const ref = line.lane.ref[i];
      if (ranItself(this.app.model, ref) < BLOCK) return;
      context.fillStyle = this.colourOf(line, ref);
      context.fillRect(x, line.y, least, line.height);
    };
    for (let x = 0; x <= wide; x++) if (this.best[x] >= BLOCK) block(left + x - 1, this.tint[x]);
    for (const i of spans) {
      const length = line.lane.end[i] - line.lane.start[i];
      if (length >= BLOCK && length < least * this.scale) {
        block(Math.max(left, this.xOf(line.lane.start[i])), i);
      }
    }
  }

  // What the program did between two turns: in the row of turns, under a line.
  drawOutsides(line) {
    const { context, colours } = this;
    const { view, model } = this.app;
    const { outsides } = line.track;
    outsides.visit(
      view.from,
      view.to,
      this.scale,
      (i) => {
        const row = outsides.ref[i];
        const x0 = Math.max(this.left, this.xOf(outsides.start[i]));
        const x1 = Math.min(this.width, this.xOf(outsides.end[i]));
        if (x1 <= x0) return;
        const wide = Math.max(1, x1 - x0 - (x1 - x0 > 4 ? 1 : 0));
        context.fillStyle = this.colourOf(line, row);
        context.globalAlpha = 0.55;
        context.fillRect(x0, line.y, wide, line.height);
        context.globalAlpha = 1;
        context.fillRect(x0, line.y + line.height - 3, wide, 3);
        const text = x1 - x0 > 130 ? 'outside of the loop' : 'outside';
        if (x1 - x0 > 56) this.drawText(line, text, x0, x1 - x0, colours.ink);
        else if (outsides.end[i] - outsides.start[i] >= BLOCK && ranItself(model, row) >= BLOCK)
          context.fillRect(x0, line.y, Math.max(3, wide), line.height);
      },
      () => {},
    );
  }

  // Instants have no length: a sign where there is room for it, a dot where there is not.
  drawInstants(line, wide) {
    const { context, left, colours } = this;
    const { model } = this.app;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.font = `10px ${colours.font}`;
    const marked = [];
    for (let x = 0; x <= wide; x++) if (this.best[x] >= 0) marked.push(x);
    marked.forEach((x, i) => {
      const kind = model.rows.kind[line.lane.ref[this.tint[x]]];
      context.fillStyle = kind === MARK ? colours.alarm : colours.muted;
      const room = x - (marked[i - 1] ?? -99) > 7 && (marked[i + 1] ?? Infinity) - x > 7;
      if (room) context.fillText(MARKS[kind] ?? '·', left + x, line.y + line.height / 2);
      else context.fillRect(left + x, line.y + 3, 1, line.height - 6);
    });
  }

  drawSpan(line, i) {
    const { context } = this;
    const { model } = this.app;
    const ref = line.lane.ref[i];
    const x0 = Math.max(this.left, this.xOf(line.lane.start[i]));
    const x1 = Math.min(this.width, this.xOf(line.lane.end[i]));
    const w = x1 - x0;
    if (w <= 0) return;
    if (line.kind === 'requests') {
      this.drawRequest(line, ref, x0, w);
      return;
    }
    context.fillStyle = this.colourOf(line, ref);
    const tick = model.rows.kind[ref] === TICK;
    // A microtask is paler than a tick, and both than their callback.
    const strength = tick ? (model.rows.detail[ref] ? 0.5 : 0.75) : 1;
    const wide = Math.max(1, w - (w > 4 ? 1 : 0));
    context.beginPath();
    context.roundRect(x0, line.y, wide, line.height, w > 6 ? 3 : 0);
    const shares = model.shares.get(ref);
    if (shares) {
      context.save();
      context.clip();
      this.drawShades(shares, model.rows.duration[ref], x0, wide, line);
      context.restore();
    } else {
      context.globalAlpha = strength;
      context.fill();
      context.globalAlpha = 1;
    }
  }

  // From the bottom: on a processor, in system calls, striped: waiting for a processor. The shares
  // are known, not when each was; so the whole width has them.
  drawShades(shares, took, x, wide, { y, height }) {
    const { context } = this;
    const part = (ns) => Math.min(1, Math.max(0, ns / Math.max(1, took))) * height;
    const waiting = part(shares.waiting);
    const calls = Math.min(part(shares.calls ?? 0), height - waiting);
    context.fillRect(x, y + waiting + calls, wide, height - waiting - calls);
    context.globalAlpha = 0.6;
    context.fillRect(x, y + waiting, wide, calls);
    context.globalAlpha = 0.18;
    context.fillRect(x, y, wide, waiting);
    context.globalAlpha = 0.8;
    context.fillStyle = this.stripes;
    context.fillRect(x, y, wide, waiting);
  }

  drawName(line, i) {
    const ref = line.lane.ref[i];
    const x0 = Math.max(this.left, this.xOf(line.lane.start[i]));
    // Requests of one row may overlap: a name ends where the next one begins.
    const next = i + 1 < line.lane.count ? this.xOf(line.lane.start[i + 1]) : this.width;
    const w = Math.min(this.width, this.xOf(line.lane.end[i]), next) - x0;
    if (w <= 26 || line.kind === 'instants') return;
    const striped = line.kind !== 'requests' && this.isStriped(ref);
    this.drawText(line, this.spanText(line, ref), x0, w, this.inkOn(line, ref, x0), striped);
  }

  isStriped(ref) {
    const { shares, rows } = this.app.model;
    return (shares.get(ref)?.waiting ?? 0) > rows.duration[ref] / 3;
  }

  // The colour of a name: dark on a phase's colour, the page's own on pale ground.
  inkOn(line, ref, x) {
    const { model } = this.app;
    const { ink, onphase } = this.colours;
    if (line.kind === 'requests') return ink;
    if (this.isStriped(ref)) return ink;
    if (line.kind === 'works') return onphase;
    if (line.kind === 'measures') {
      return model.rows.detail[ref] === TASK_WAITS ? ink : this.colours.card;
    }
    if (line.kind === 'phases') {
      return line.track.waits.near(this.timeline.timeAt(x + 10), 0) >= 0 ? ink : onphase;
    }
    const tick = model.rows.kind[ref] === TICK;
    if (this.app.colourBy === 'time' && line.kind === 'callbacks' && !tick) return onphase;
    return line.kind === 'iterations' || tick || model.phaseOf[ref] === NO_PHASE ? ink : onphase;
  }

  spanText(line, ref) {
    const { model } = this.app;
    if (line.kind === 'iterations') return model.rows.value[ref].toLocaleString('en');
    if (line.kind === 'requests') return requestName(model, ref);
    return splitPlace(rowTitle(model, ref))[0];
  }

  drawText(line, text, x, w, colour, onStripes = false) {
    const { context } = this;
    const cut = cutText(text, Math.floor((w - 8) / COLUMN));
    if (!cut) return;
    const y = line.y + line.height / 2 + 0.5;
    context.textAlign = 'left';
    context.textBaseline = 'middle';
    if (onStripes) {
      context.strokeStyle = this.colours.card;
      context.lineWidth = 4;
      context.strokeText(cut, x + 5, y);
      context.lineWidth = 1;
    }
    context.fillStyle = colour;
    context.fillText(cut, x + 5, y);
  }

  // Pale while it waits for a thread or for the loop, solid while it is worked on.
  drawRequest(line, number, x, w) {
    const { context, colours } = this;
    const life = requestLife(this.app.model, number);
    if (w >= ROOM_FOR_ARROW) this.requests.push(number);
    context.fillStyle = colours.work;
    context.globalAlpha = 0.28;
    context.fillRect(x, line.y + 3, w, line.height - 6);
    context.globalAlpha = 1;
    if (life.started === undefined) return;
    const x0 = Math.max(this.left, this.xOf(life.started));
    const x1 = Math.min(this.width, this.xOf(life.done));
    if (x1 > x0) context.fillRect(x0, line.y, Math.max(1, x1 - x0), line.height);
  }

  // Sleep in poll is drawn over the phase in the colour of the background: it costs nothing.
  drawWaits(line) {
    const { context, colours } = this;
    const { view } = this.app;
    const { waits } = line.track;
    context.fillStyle = colours.card;
    context.globalAlpha = 0.72;
    waits.visit(
      view.from,
      view.to,
      this.scale * 3,
      (i) => {
        const x0 = Math.max(this.left, this.xOf(waits.start[i]));
        const x1 = Math.min(this.width, this.xOf(waits.end[i]));
        if (x1 > x0) context.fillRect(x0, line.y + 1, x1 - x0, line.height - 2);
      },
      () => {},
    );
    context.globalAlpha = 1;
  }

  drawDropped(line) {
    const { context, colours } = this;
    const { dropped } = line.track;
    for (let i = 0; i < dropped.count; i++) {
      const x0 = Math.max(this.left, this.xOf(dropped.start[i]));
      const x1 = Math.min(this.width, this.xOf(dropped.end[i]));
      if (x1 < this.left || x0 > this.width) continue;
      context.strokeStyle = colours.alarm;
      context.setLineDash([3, 3]);
      context.strokeRect(x0 + 0.5, line.y + 0.5, Math.max(2, x1 - x0) - 1, line.height - 1);
      context.setLineDash([]);
      if (x1 - x0 > 40) this.drawText(line, 'events lost', x0, x1 - x0, colours.alarm);
    }
  }
}
