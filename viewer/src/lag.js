// The lag chart: the worst lag in each pixel of the whole trace, on a logarithmic scale, with the
// visible part of the timeline marked. Clicking and dragging moves that part.
import { formatDuration, formatTime } from './format.js';
import { fitCanvas } from './dom.js';
import { palette } from './theme.js';

// The scale begins at 10 µs, for very quick loops at 1 µs.
const LEAST = [1e3, 10e3];
const FELT = 50e6;
const LEFT = 56;
const BOTTOM = 18;

export class LagChart {
  // app: { model, track, view, setView(from, to), step(index) }
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
    const time = ((event.offsetX - LEFT) / (this.canvas.clientWidth - LEFT)) * app.model.end;
    const half = (app.view.to - app.view.from) / 2;
    app.setView(time - half, time + half);
    if (app.track) app.step(Math.max(app.firstIndex(), app.track.iterations.at(time)), false);
  }

  // The worst lag of the iterations in each column, kept until the loop or the width changes.
  columns(width) {
    const { track, model } = this.app;
    if (this.cached?.track === track && this.cached.width === width) return this.cached;
    const worst = new Float64Array(width);
    const lane = track?.iterations ?? { count: 0 };
    let top = 1e6;
    for (let i = 0; i < lane.count; i++) {
      const from = Math.floor((lane.start[i] / model.end) * width);
      const to = Math.min(width - 1, Math.floor((lane.end[i] / model.end) * width));
      const lag = track.lag[i];
      if (lag > top) top = lag;
      // A turn that mostly slept was busy at its end only.
      const busy = Math.max(1, Math.ceil((lag / model.end) * width));
      for (let x = Math.max(from, to - busy + 1); x <= to; x++) if (lag > worst[x]) worst[x] = lag;
    }
    const least = this.app.loopFigures.lag.median < LEAST[1] ? LEAST[0] : LEAST[1];
    this.cached = { track, width, worst, least, top: 10 ** Math.ceil(Math.log10(top)) };
    return this.cached;
  }

  draw() {
    const { context, width, height } = fitCanvas(this.canvas);
    const colours = palette();
    context.clearRect(0, 0, width, height);
    context.font = `11px ${colours.font}`;
    const wide = Math.max(1, Math.floor(width - LEFT));
    const { worst, least, top } = this.columns(wide);
    const high = height - BOTTOM - 6;
    const rise = (lag) => Math.max(0, Math.log(lag / least) / Math.log(top / least)) * high;
    this.drawScale(context, rise, width, high + 6);
    for (let x = 0; x < wide; x++) {
      if (!(worst[x] > 0)) continue;
      const h = Math.max(1, rise(worst[x]));
      context.fillStyle = worst[x] >= FELT ? colours.alarm : colours.accent;
      context.fillRect(LEFT + x, high + 6 - h, 1, h);
    }
    this.drawView(context, wide, high + 6);
    this.drawAxis(context, wide, height);
    this.drawMatches(context, wide);
  }

  drawScale(context, rise, width, base) {
    const { least, top } = this.cached;
    const colours = palette();
    context.textAlign = 'right';
    context.textBaseline = 'middle';
    for (let lag = least; lag <= top; lag *= 10) {
      const y = Math.round(base - rise(lag)) + 0.5;
      context.strokeStyle = colours.line;
      context.beginPath();
      context.moveTo(LEFT, y);
      context.lineTo(width, y);
      context.stroke();
      context.fillStyle = colours.muted;
      const decade = Math.round(Math.log10(lag / least));
      if (decade % 2 === 0 || top / least <= 1e3)
        context.fillText(formatDuration(lag).replace(/\.0+ /, ' '), LEFT - 8, y);
    }
  }

  drawView(context, wide, base) {
    const { app } = this;
    const colours = palette();
    const x0 = LEFT + Math.max(0, app.view.from / app.model.end) * wide;
    const x1 = LEFT + Math.min(1, app.view.to / app.model.end) * wide;
    if (x1 - x0 > wide - 2) return;
    context.fillStyle = colours.band;
    context.fillRect(x0, 0, Math.max(2, x1 - x0), base);
    context.strokeStyle = colours.ink;
    context.globalAlpha = 0.55;
    context.strokeRect(Math.round(x0) + 0.5, 0.5, Math.max(2, Math.round(x1 - x0)), base - 1);
    context.globalAlpha = 1;
  }

  // Where the search found something: a row of points at the top.
  drawMatches(context, wide) {
    const { matches, model } = this.app;
    if (this.found?.matches !== matches || this.found.wide !== wide) {
      const columns = new Uint8Array(wide + 1);
      for (const row of matches)
        columns[Math.floor((model.rows.start[row] / model.end) * wide)] = 1;
      this.found = { matches, wide, columns };
    }
    context.fillStyle = palette().ink;
    this.found.columns.forEach((is, x) => is && context.fillRect(LEFT + x - 1, 0, 2, 4));
  }

  drawAxis(context, wide, height) {
    const { model } = this.app;
    context.fillStyle = palette().muted;
    context.textBaseline = 'alphabetic';
    for (const part of [0, 0.25, 0.5, 0.75, 1]) {
      context.textAlign = part === 0 ? 'left' : part === 1 ? 'right' : 'center';
      context.fillText(
        formatTime(model.end * part, model.end / 100),
        LEFT + part * wide,
        height - 4,
      );
    }
  }
}
