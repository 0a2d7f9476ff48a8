// The lag chart: how long each turn of the loop kept everything else waiting, on a logarithmic
// scale and on the timeline's axis. A line marks 10 ms, from which on the report speaks of
// blocking.
import { BLOCK } from './kinds.js';
import { formatDuration } from './format.js';
import { fitCanvas } from './dom.js';
import { palette } from './theme.js';
import { heatOf } from './heat.js';
import { secondsOf } from './seconds.js';

// The scale begins at 10 µs, for very quick loops at 1 µs, and reaches at least to 100 ms.
const LEAST = [1e3, 10e3];
const TOP = 100e6;

export class LagChart {
  // app: { model, track, view, timeline, loopFigures }
  constructor(canvas, app) {
    this.canvas = canvas;
    this.app = app;
  }

  draw() {
    const { app } = this;
    const { context, width, height } = fitCanvas(this.canvas);
    const { lag } = app.loopFigures ?? { lag: { median: 0, worst: 0 } };
    this.left = app.timeline.left;
    this.least = lag.median > 0 && lag.median < LEAST[1] ? LEAST[0] : LEAST[1];
    this.top = Math.max(TOP, 10 ** Math.ceil(Math.log10(Math.max(1, lag.worst))));
    this.base = height - 1;
    this.context = context;
    context.clearRect(0, 0, width, height);
    context.font = `11px ${palette().font}`;
    app.timeline.drawRange(context, height, false);
    this.drawScale(width);
    if (app.track) this.drawBars(width);
  }

  rise(lag) {
    const part = Math.log(lag / this.least) / Math.log(this.top / this.least);
    return Math.max(0, part) * (this.base - 8);
  }

  drawScale(width) {
    const { context } = this;
    const colours = palette();
    context.textAlign = 'right';
    context.textBaseline = 'middle';
    const line = (lag, colour, dash) => {
      const y = Math.round(this.base - this.rise(lag)) - 0.5;
      context.strokeStyle = colour;
      context.setLineDash(dash);
      context.beginPath();
      context.moveTo(this.left, y);
      context.lineTo(width, y);
      context.stroke();
      context.setLineDash([]);
      return y;
    };
    line(this.least, colours.line, []);
    line(this.top, colours.line, []);
    const rule = line(BLOCK, colours.rule, [4, 3]);
    const text = (lag) => formatDuration(lag).replace(/\.0+ /, ' ');
    context.fillStyle = colours.muted;
    for (const lag of [this.least, this.top]) {
      const y = this.base - this.rise(lag) - 0.5;
      const inside = Math.min(this.base - 5, Math.max(y, 6));
      if (Math.abs(y - rule) > 12) context.fillText(text(lag), this.left - 8, inside);
    }
    context.textAlign = 'left';
    context.fillText('lag', 2, 6);
    context.textAlign = 'right';
    context.fillStyle = colours.ink;
    context.fillText(text(BLOCK), this.left - 8, rule);
  }

  // The worst lag of each pixel; where only seconds are known, a pale bar as wide as the second.
  drawBars(width) {
    const { context, left } = this;
    const { view, track, model, timeline } = this.app;
    const colours = palette();
    const { scale } = timeline;
    const bar = (x, wide, lag, strength) => {
      const high = Math.max(1, this.rise(lag));
      const from = Math.max(left, x);
      const until = Math.min(width, x + wide);
      if (until <= from) return;
      context.globalAlpha = strength;
      context.fillStyle = heatOf(colours, lag);
      context.fillRect(from, this.base - high, until - from, high);
    };
    secondsOf(model, track)?.visit(view.from, view.to, (second) => {
      const wide = Math.max(1, (second.to - second.from) / scale - 1);
      if (second.worst > 0) bar(timeline.xOf(second.from), wide, second.worst, 0.45);
    });
    const worst = new Float64Array(Math.ceil(width - left) + 1);
    const { stalls } = track;
    stalls.visit(
      view.from,
      view.to,
      scale,
      (i) => {
        const lag = stalls.end[i] - stalls.start[i];
        const x = timeline.xOf(stalls.start[i]);
        const wide = Math.max(lag >= BLOCK ? 3 : 1, lag / scale);
        bar(x, wide, lag, 1);
        // Striped, as in the timeline, where the thread mostly waited for a processor.
        if ((model.shares.get(stalls.ref[i])?.waiting ?? 0) < lag / 2) return;
        context.fillStyle = timeline.stripes;
        context.fillRect(Math.max(left, x), this.base - this.rise(lag), wide, this.rise(lag));
      },
      (start, end, busy, longest) => {
        const x = Math.floor((start - view.from) / scale);
        const lag = stalls.end[longest] - stalls.start[longest];
        if (x >= 0 && x < worst.length && lag > worst[x]) worst[x] = lag;
      },
    );
    worst.forEach((lag, x) => lag > 0 && bar(left + x, lag >= BLOCK ? 3 : 1, lag, 1));
    context.globalAlpha = 1;
  }
}
