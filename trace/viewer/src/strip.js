// The strip above the timeline: the whole recording in one line, with the visible part in a frame.
// Its colours are those of the worst lag of any loop. Clicking and dragging moves the visible part.
import { BLOCK } from './kinds.js';
import { fitCanvas } from './dom.js';
import { palette } from './theme.js';
import { heatOf } from './heat.js';
import { secondsOf } from './seconds.js';

export class Strip {
  // app: { model, view, matches, timeline, setView(from, to) }
  constructor(canvas, app) {
    this.canvas = canvas;
    this.app = app;
    this.dragging = false;
    canvas.addEventListener('pointerdown', (event) => {
      this.dragging = true;
      canvas.setPointerCapture(event.pointerId);
      this.moveTo(event);
    });
    canvas.addEventListener('pointermove', (event) => this.dragging && this.moveTo(event));
    canvas.addEventListener('pointerup', () => {
      this.dragging = false;
    });
  }

  moveTo(event) {
    const { app } = this;
    const { left } = app.timeline;
    const { begin, end } = app.model;
    const part = (event.offsetX - left) / (this.canvas.clientWidth - left);
    const time = begin + part * (end - begin);
    const half = app.view.size / 2;
    app.setView(time - half, time + half);
  }

  // 0 at the beginning of the recording, 1 at its end.
  part(time) {
    const { begin, end } = this.app.model;
    return (time - begin) / (end - begin);
  }

  // The worst lag in each column, kept until the recording or the width changes.
  columns(wide) {
    const { model } = this.app;
    if (this.cached?.model === model && this.cached.wide === wide) return this.cached;
    const worst = new Float64Array(wide);
    const rough = new Float64Array(wide); // of whole seconds
    const add = (into, start, end, lag) => {
      const first = Math.max(0, Math.floor(this.part(start) * wide));
      const last = Math.min(wide - 1, Math.floor(this.part(end) * wide));
      for (let x = first; x <= last; x++) if (lag > into[x]) into[x] = lag;
    };
    for (const track of model.loops) {
      const { start, end, count } = track.stalls;
      for (let i = 0; i < count; i++) add(worst, start[i], end[i], end[i] - start[i]);
      secondsOf(model, track)?.visit(model.begin, model.end, (second) => {
        if (second.worst > 0) add(rough, second.from, second.to - 1, second.worst);
      });
    }
    this.cached = { model, wide, worst, rough };
    return this.cached;
  }

  draw() {
    const { app } = this;
    const { context, width, height } = fitCanvas(this.canvas);
    const colours = palette();
    const { left } = app.timeline;
    const wide = Math.max(1, Math.floor(width - left));
    context.clearRect(0, 0, width, height);
    context.fillStyle = colours.faint;
    context.fillRect(left, 8, wide, height - 16);
    const { worst, rough } = this.columns(wide);
    context.globalAlpha = 0.35;
    rough.forEach((lag, x) => {
      if (!(lag > 0)) return;
      context.fillStyle = heatOf(colours, lag);
      context.fillRect(left + x, 8, 1, height - 16);
    });
    context.globalAlpha = 1;
    worst.forEach((lag, x) => {
      if (!(lag > 0)) return;
      const blocks = lag >= BLOCK;
      context.fillStyle = heatOf(colours, lag);
      context.fillRect(left + x, blocks ? 5 : 8, blocks ? 2 : 1, height - (blocks ? 10 : 16));
    });
    context.font = `11px ${colours.font}`;
    context.fillStyle = colours.muted;
    context.textBaseline = 'middle';
    context.textAlign = 'left';
    context.fillText('recording', 2, height / 2);
    this.drawMatches(context, left, wide);
    this.drawFrame(context, left, wide, height);
  }

  drawFrame(context, left, wide, height) {
    const { view, range } = this.app;
    const colours = palette();
    const place = (time) => left + Math.min(1, Math.max(0, this.part(time))) * wide;
    if (range) {
      context.fillStyle = colours.chosen;
      context.fillRect(
        place(range.from),
        2,
        Math.max(2, place(range.to) - place(range.from)),
        height - 4,
      );
    }
    const x0 = place(view.from);
    const x1 = place(view.to);
    if (x1 - x0 > wide - 2) return;
    context.fillStyle = colours.band;
    context.fillRect(x0, 1, Math.max(3, x1 - x0), height - 2);
    context.strokeStyle = colours.ink;
    context.globalAlpha = 0.6;
    context.beginPath();
    const size = Math.max(4, Math.round(x1 - x0));
    context.roundRect(Math.round(x0) - 0.5, 1.5, size, height - 3, 3);
    context.stroke();
    context.globalAlpha = 1;
  }

  // Where the search found something: a row of points.
  drawMatches(context, left, wide) {
    const { matches, model } = this.app;
    if (this.found?.matches !== matches || this.found.wide !== wide) {
      const columns = new Uint8Array(wide + 1);
      for (const row of matches)
        columns[Math.floor(this.part(model.rows.start[row]) * wide)] = 1;
      this.found = { matches, wide, columns };
    }
    context.fillStyle = palette().ink;
    this.found.columns.forEach((is, x) => is && context.fillRect(left + x - 1, 0, 2, 4));
  }
}
