// The visible time: zooming, moving, gliding from one place to another.

const SHORTEST = 200; // ns that fill the timeline at most zoom
const GLIDE = 180; // ms

export class View {
  // changed(): called after each change; limits(): { begin, end } of the recording.
  constructor(limits, changed) {
    this.limits = limits;
    this.changed = changed;
    this.from = limits().begin;
    this.to = limits().end;
    this.target = null; // where a glide goes
    this.calm = matchMedia('(prefers-reduced-motion: reduce)');
  }

  get size() {
    return this.to - this.from;
  }

  // Kept within the recording, with a little air at its ends.
  set(from, to, smooth = false) {
    const { begin, end } = this.limits();
    const air = (end - begin) * 0.02;
    const size = Math.min(Math.max(to - from, SHORTEST), end - begin + 2 * air);
    const middle = (from + to) / 2;
    const start = Math.min(Math.max(middle - size / 2, begin - air), end + air - size);
    if (smooth && !this.calm.matches) {
      this.target = { from: start, to: start + size };
      this.glide({ from: this.from, to: this.to }, performance.now());
    } else {
      this.target = null;
      [this.from, this.to] = [start, start + size];
      this.changed();
    }
  }

  span(from, to, margin = 0.05) {
    const extra = Math.max((to - from) * margin, SHORTEST / 2);
    this.set(from - extra, to + extra, true);
  }

  // By nanoseconds, or by a part of what is visible.
  pan(amount, byPart = false) {
    const { from, to } = this.target ?? this;
    const by = byPart ? amount * (to - from) : amount;
    this.set(from + by, to + by, byPart);
  }

  zoom(factor, around, smooth = false) {
    const { from, to } = this.target ?? this;
    const centre = around ?? (from + to) / 2;
    this.set(centre + (from - centre) * factor, centre + (to - centre) * factor, smooth);
  }

  // Brings a span into view: moves when it is outside, zooms when it would be a speck or too large.
  reveal(from, to, speck, margin) {
    const { size } = this;
    const length = to - from;
    if ((length > 0 && length * speck < size) || length > size) this.span(from, to, margin);
    else if (from < this.from || to > this.to) {
      const middle = (from + to) / 2;
      this.set(middle - size / 2, middle + size / 2, true);
    }
  }

  glide(origin, began) {
    const { target } = this;
    const tick = (now) => {
      if (this.target !== target) return;
      const part = Math.min(1, Math.max(0, now - began) / GLIDE);
      const eased = 1 - (1 - part) ** 3;
      this.from = origin.from + (target.from - origin.from) * eased;
      this.to = origin.to + (target.to - origin.to) * eased;
      if (part === 1) this.target = null;
      else requestAnimationFrame(tick);
      this.changed();
    };
    requestAnimationFrame(tick);
  }
}
