// The timeline: a canvas with a row per lane. What is wider than a pixel is drawn as itself, the
// rest as columns whose strength tells how full they are.
import {
  BIRTH,
  CLOSE,
  ITERATION,
  MARK,
  NO_PHASE,
  PHASE,
  SUBMIT,
  TICK,
  WAIT,
  WAKE,
  WORK,
} from './kinds.js';
import { cutText, formatTime } from './format.js';
import { fitCanvas } from './dom.js';
import { palette } from './theme.js';
import { buildLayout } from './layout.js';
import { rowTitle, splitPlace } from './describe.js';
import { requestLife } from './model.js';
import { drawArrows } from './arrows.js';

const AXIS = 22;
const MOST_ARROWS = 60;
const ROOM_FOR_ARROW = 24;
const SHADES = 8;
const COLUMN = 6.1; // pixels of a letter
const MARKS = { [SUBMIT]: '↗', [WAKE]: '!', [BIRTH]: '+', [CLOSE]: '×', [MARK]: '◆' };

export class Timeline {
  // app: { model, view, selected, hovered, index, track, matches }
  constructor(canvas, app) {
    this.canvas = canvas;
    this.app = app;
    this.layout = buildLayout(app.model);
    this.top = 0;
    this.width = canvas.clientWidth; // kept: asking the document is slow
    const height = Math.min(this.layout.height + AXIS, 520);
    canvas.style.height = `${Math.max(120, height)}px`;
    this.cover = new Float32Array(0);
  }

  get left() {
    return this.width < 560 ? 66 : 84;
  }

  // Nanoseconds per pixel.
  get scale() {
    const { view } = this.app;
    return (view.to - view.from) / Math.max(1, this.width - this.left);
  }

  timeAt(x) {
    return this.app.view.from + (x - this.left) * this.scale;
  }

  xOf(time) {
    return this.left + (time - this.app.view.from) / this.scale;
  }

  scrollBy(pixels) {
    const most = Math.max(0, this.layout.height + AXIS - this.canvas.clientHeight);
    this.top = Math.min(most, Math.max(0, this.top + pixels));
  }

  // The lane's row at a point of the canvas, and what is there: { row } or { request }.
  hit(x, y) {
    if (x < this.left || y < AXIS) return null;
    const inside = y - AXIS + this.top;
    const line = this.layout.rows.find(
      (r) => r.lane && inside >= r.y && inside < r.y + r.height + 2,
    );
    if (!line) return null;
    const time = this.timeAt(x);
    const reach = this.scale * (line.kind === 'instants' ? 6 : 2);
    if (line.kind === 'phases') {
      const wait = line.track.waits.near(time, 0);
      if (wait >= 0) return { row: line.track.waits.ref[wait] };
    }
    const found = line.lane.near(time, reach);
    if (found < 0) return null;
    const ref = line.lane.ref[found];
    return line.kind === 'requests'
      ? { request: ref, row: this.app.model.requests.submit[ref] }
      : { row: ref };
  }

  draw() {
    const { context, width, height } = fitCanvas(this.canvas);
    this.context = context;
    this.width = width;
    this.colours = palette();
    if (this.cover.length < width + 1) {
      this.cover = new Float32Array(width + 1);
      this.best = new Float64Array(width + 1);
      this.tint = new Array(width + 1);
    }
    context.clearRect(0, 0, width, height);
    this.arrows = [];
    this.drawTurnBand(height);
    this.drawGrid(height);
    context.save();
    context.beginPath();
    context.rect(0, AXIS, width, height - AXIS);
    context.clip();
    context.translate(0, AXIS - this.top);
    for (const line of this.layout.rows) {
      if (line.y + line.height < this.top || line.y > this.top + height) continue;
      this.drawLabel(line);
      if (line.lane) this.drawLine(line);
    }
    this.drawSelection();
    drawArrows(this, this.arrows.length <= MOST_ARROWS ? this.arrows : []);
    context.restore();
    this.drawScrollbar(height);
  }

  drawTurnBand(height) {
    const { track, index } = this.app;
    if (!track || index < 0 || index >= track.iterations.count) return;
    const x0 = Math.max(this.left, this.xOf(track.iterations.start[index]));
    const x1 = Math.min(this.width, this.xOf(track.iterations.end[index]));
    if (x1 < this.left || x0 > this.width) return;
    this.context.fillStyle = this.colours.band;
    this.context.fillRect(x0, 0, Math.max(2, x1 - x0), height);
  }

  drawGrid(height) {
    const { context, colours } = this;
    const { view } = this.app;
    const rough = (view.to - view.from) / Math.max(2, (this.width - this.left) / 110);
    const size = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((n) => n * size).find((s) => s >= rough);
    context.font = `11px ${colours.font}`;
    context.textBaseline = 'middle';
    context.textAlign = 'left';
    for (
      let time = Math.ceil(Math.max(0, view.from) / step) * step;
      time <= view.to;
      time += step
    ) {
      const x = Math.round(this.xOf(time)) + 0.5;
      if (x < this.left) continue;
      context.strokeStyle = colours.line;
      context.beginPath();
      context.moveTo(x, 0);
      context.lineTo(x, height);
      context.stroke();
      context.fillStyle = colours.muted;
      const label = formatTime(time, step);
      if (x + 4 + context.measureText(label).width <= this.width) {
        context.fillText(label, x + 4, AXIS / 2);
      }
    }
  }

  drawLabel(line) {
    const { context, colours } = this;
    context.textAlign = 'left';
    context.textBaseline = 'middle';
    if (line.kind === 'heading') {
      context.font = `600 12px ${colours.font}`;
      context.fillStyle = colours.ink;
    } else {
      context.font = `11px ${colours.font}`;
      context.fillStyle = colours.muted;
    }
    context.fillText(line.label, line.kind === 'heading' ? 0 : 2, line.y + line.height / 2 + 0.5);
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
      default: {
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
    this.drawColumns(line, wide);
    context.font = `11px ${this.colours.font}`;
    for (const i of wideSpans) this.drawSpan(line, i);
    if (line.kind === 'phases') this.drawWaits(line);
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
    context.globalAlpha = tick ? (model.rows.detail[ref] ? 0.5 : 0.75) : 1;
    context.beginPath();
    context.roundRect(x0, line.y, Math.max(1, w - (w > 4 ? 1 : 0)), line.height, w > 6 ? 3 : 0);
    context.fill();
    context.globalAlpha = 1;
  }

  drawName(line, i) {
    const ref = line.lane.ref[i];
    const x0 = Math.max(this.left, this.xOf(line.lane.start[i]));
    const w = Math.min(this.width, this.xOf(line.lane.end[i])) - x0;
    if (w <= 26 || line.kind === 'requests' || line.kind === 'instants') return;
    this.drawText(line, this.spanText(line, ref), x0, w, this.inkOn(line, ref, x0));
  }

  // The colour of a name: dark on a phase's colour, the page's own on pale ground.
  inkOn(line, ref, x) {
    const { model } = this.app;
    const { ink, onphase } = this.colours;
    if (line.kind === 'works') return onphase;
    if (line.kind === 'phases') {
      return line.track.waits.near(this.timeAt(x + 10), 0) >= 0 ? ink : onphase;
    }
    const tick = model.rows.kind[ref] === TICK;
    return line.kind === 'iterations' || tick || model.phaseOf[ref] === NO_PHASE ? ink : onphase;
  }

  spanText(line, ref) {
    const { model } = this.app;
    if (line.kind === 'iterations') return model.rows.value[ref].toLocaleString('en');
    return splitPlace(rowTitle(model, ref))[0];
  }

  drawText(line, text, x, w, colour) {
    const { context } = this;
    const cut = cutText(text, Math.floor((w - 8) / COLUMN));
    if (!cut) return;
    context.fillStyle = colour;
    context.textAlign = 'left';
    context.textBaseline = 'middle';
    context.fillText(cut, x + 5, line.y + line.height / 2 + 0.5);
  }

  // Pale while it waits for a thread or for the loop, solid while it is worked on.
  drawRequest(line, number, x, w) {
    const { context, colours } = this;
    const life = requestLife(this.app.model, number);
    if (w >= ROOM_FOR_ARROW) this.arrows.push(number);
    context.fillStyle = colours.work;
    context.globalAlpha = 0.28;
    context.fillRect(x, line.y + 2, w, line.height - 4);
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

  drawSelection() {
    const { context, colours } = this;
    const { model, selected } = this.app;
    const mark = (row, strength) => {
      if (row < 0) return;
      const line = this.lineOf(row);
      if (!line) return;
      const x0 = Math.max(this.left - 2, this.xOf(model.rows.start[row]));
      const x1 = Math.min(
        this.width + 2,
        this.xOf(model.rows.start[row] + model.rows.duration[row]),
      );
      if (x1 < this.left || x0 > this.width) return;
      context.globalAlpha = strength;
      context.strokeStyle = colours.ink;
      context.lineWidth = 2;
      context.beginPath();
      context.roundRect(x0 - 1, line.y - 1, Math.max(3, x1 - x0 + 1), line.height + 2, 4);
      context.stroke();
      context.lineWidth = 1;
      context.globalAlpha = 1;
    };
    mark(this.app.hovered?.row ?? -1, 0.4);
    mark(selected, 1);
  }

  // The line of the layout that shows a row.
  lineOf(row) {
    const { rows, depthOf, requests } = this.app.model;
    const kind = rows.kind[row];
    if (kind === SUBMIT && this.app.hovered?.request === rows.subject[row] && requests) return null;
    const wanted = {
      [ITERATION]: 'iterations',
      [PHASE]: 'phases',
      [WAIT]: 'phases',
      [WORK]: 'works',
    };
    const name = wanted[kind] ?? (kind < WORK ? 'callbacks' : 'instants');
    return this.layout.rows.find(
      (line) =>
        line.track?.index === rows.track[row] &&
        line.kind === name &&
        (name !== 'callbacks' || line.depth === depthOf[row]),
    );
  }

  drawScrollbar(height) {
    const all = this.layout.height + AXIS;
    if (all <= height + 1) return;
    const { context, colours } = this;
    context.fillStyle = colours.muted;
    context.globalAlpha = 0.4;
    context.beginPath();
    context.roundRect(this.width - 5, (this.top / all) * height, 4, (height / all) * height, 2);
    context.fill();
    context.globalAlpha = 1;
  }
}
