// The timeline: a canvas with a row per lane. What is wider than a pixel is drawn as itself, the
// rest as columns whose strength tells how full they are.
import { ITERATION, MARK, OUTSIDE, PHASE, SUBMIT, WAIT, WORK } from './kinds.js';
import { cutText, formatDuration, formatTime } from './format.js';
import { byId, element, fitCanvas } from './dom.js';
import { palette } from './theme.js';
import { buildLayout } from './layout.js';
import { drawArrows, drawSends } from './arrows.js';
import { HEAT, stripes } from './heat.js';
import { Bars, COLUMN } from './bars.js';

const AXIS = 22;
const MOST_ARROWS = 60;

export class Timeline {
  // app: { model, view, selected, hovered, index, track, matches }
  constructor(canvas, app) {
    this.canvas = canvas;
    this.app = app;
    this.top = 0;
    this.width = canvas.clientWidth; // kept: asking the document is slow
    this.bars = new Bars(this);
  }

  // A model that is new.
  load() {
    this.layout = buildLayout(this.app.model);
    this.canvas.style.setProperty('--rows', `${this.layout.height + AXIS}px`);
    this.scrollBy(0);
    this.showLegend();
  }

  // What the colours mean.
  showLegend() {
    const { colourBy, model } = this.app;
    const item = (style, text) =>
      element('span', { class: 'key' }, element('i', { style }), element('span', {}, text));
    const byTime = HEAT.map(({ name, text }) => item(`background: var(--heat-${name})`, text));
    const shades = [
      item('background: var(--muted)', 'on a processor'),
      item('background: var(--muted); opacity: 0.5', 'in a system call'),
      item('background: var(--stripes)', 'waiting for a processor'),
    ];
    byId('legend').replaceChildren(
      ...(colourBy === 'time' ? byTime : []),
      ...(model.shares.size ? shades : []),
    );
    byId('colour').textContent = colourBy === 'time' ? 'By time' : 'By phase';
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
    if (line.kind === 'iterations') {
      const outside = line.track.outsides.near(time, reach);
      if (outside >= 0) return { row: line.track.outsides.ref[outside] };
    }
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
    context.clearRect(0, 0, width, height);
    if (this.striped !== this.colours) this.stripes = stripes(context, this.colours.muted);
    this.striped = this.colours;
    this.bars.begin(this.stripes);
    this.drawTurnBand(height);
    this.drawGrid(height);
    this.drawRange(context, height, true);
    context.save();
    context.beginPath();
    context.rect(0, AXIS, width, height - AXIS);
    context.clip();
    context.translate(0, AXIS - this.top);
    for (const line of this.layout.rows) {
      if (line.y + line.height < this.top || line.y > this.top + height) continue;
      this.drawLabel(line);
      if (line.lane) this.bars.drawLine(line);
    }
    this.drawSelection();
    drawSends(this);
    const { requests } = this.bars;
    drawArrows(this, requests.length <= MOST_ARROWS ? requests : []);
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

  // The chosen range, in any canvas on this axis; with its length where there is room for it.
  drawRange(context, height, told) {
    const range = this.app.dragged ?? this.app.range;
    if (!range) return;
    const { colours } = this;
    const x0 = Math.max(this.left, this.xOf(range.from));
    const x1 = Math.min(this.width, this.xOf(range.to));
    if (x1 < this.left || x0 > this.width) return;
    context.fillStyle = colours.chosen;
    context.fillRect(x0, 0, Math.max(1, x1 - x0), height);
    context.fillStyle = colours.accent;
    context.fillRect(x0 - 0.5, 0, 1, height);
    context.fillRect(x1 - 0.5, 0, 1, height);
    if (!told) return;
    const text = formatDuration(range.to - range.from);
    context.font = `600 11px ${colours.font}`;
    const wide = context.measureText(text).width + 12;
    const x = Math.max(this.left, Math.min(this.width - wide, (x0 + x1 - wide) / 2));
    context.fillStyle = colours.accent;
    context.beginPath();
    context.roundRect(x, 2, wide, AXIS - 5, 4);
    context.fill();
    context.fillStyle = colours.card;
    context.textAlign = 'left';
    context.textBaseline = 'middle';
    context.fillText(text, x + 6, AXIS / 2);
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
      let time = Math.ceil(Math.max(this.app.model.begin, view.from) / step) * step;
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
    const y = line.y + line.height / 2 + 0.5;
    const small = `11px ${colours.font}`;
    if (line.kind !== 'heading' && line.kind !== 'process') {
      context.font = small;
      context.fillStyle = colours.muted;
      context.fillText(cutText(line.label, Math.floor((this.left - 4) / COLUMN)), 2, y);
      return;
    }
    const isProcess = line.kind === 'process';
    context.font = `600 ${isProcess ? 13 : 12}px ${colours.font}`;
    context.fillStyle = colours.ink;
    if (isProcess && line.y > 10) {
      context.fillStyle = colours.none;
      context.fillRect(0, line.y - 6, this.width, 1);
      context.fillStyle = colours.ink;
    }
    context.fillText(line.label, 0, y);
    const after = context.measureText(line.label).width + 8;
    context.font = small;
    context.fillStyle = colours.muted;
    context.fillText(line.note, after, y);
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
      [OUTSIDE]: 'iterations',
    };
    const isMeasure = kind === MARK && rows.duration[row] > 0;
    const name = wanted[kind] ?? (isMeasure ? 'measures' : kind < WORK ? 'callbacks' : 'instants');
    return this.layout.rows.find(
      (line) =>
        line.track?.index === rows.track[row] &&
        line.kind === name &&
        (name !== 'callbacks' || line.depth === depthOf[row]) &&
        (name !== 'measures' || line.lane.ref.includes(row)),
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
